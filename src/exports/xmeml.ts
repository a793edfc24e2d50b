import { isNtsc, timebaseOf, timecodeOf } from '../core/edit-rate.ts'
import { counted } from '../core/text.ts'
import { type Edit, type ExportDocument, type ExportedPicture, editsOf, mediaFrames } from './export-document.ts'
import { type Marker, type MarkerColour, markersOf } from './markers.ts'
import { mediaAddress } from './media-address.ts'
import { element, textElement, type XmlElement, xmlDocument } from './xml.ts'

/** Each channel is on a track of its own, up to 7.1: of 5.1, the third is the centre, with the dialogue. */
const maxChannelsOfTrack = 8

/** Every item of an edit names all of them. Editors open a longer file very slowly. */
const maxLinkedTracks = 9

/** xmeml 5 (Final Cut Pro 7), which Premiere Pro and DaVinci Resolve open. */
export function writeXmeml(document: ExportDocument): Iterable<string> {
  const { title, picture, sound } = document
  const edits = editsOf(document)
  const channels = (sound?.searched ?? []).flatMap((track) => track.channels.slice(0, maxChannelsOfTrack))
  const audio = channels.map((channel, index) => ({ kind: 'audio' as const, number: index + 1, channel }))
  const tracks: TimelineTrack[] = [...(picture ? [{ kind: 'video' as const, number: 1 }] : []), ...audio]
  const items = (track: TimelineTrack) => element('track', {}, clipItems(document, edits, track, tracks))
  const media = [
    ...(picture ? [element('video', {}, [formatElement(document, picture), items({ kind: 'video', number: 1 })])] : []),
    ...(audio.length > 0 ? [element('audio', {}, audio.map(items))] : []),
  ]
  const sequence = element('sequence', { id: 'sequence-1' }, [
    textElement('name', title),
    textElement('duration', edits.at(-1)?.recordEnd ?? 0),
    rateElement(document),
    timecodeElement(document, document.recordFrame ?? 0),
    element('media', {}, media),
    ...markersOf(document).map(markerElement),
  ])
  return xmlDocument('xmeml', element('xmeml', { version: '5' }, [sequence]))
}

/** Channels that have no track of the timeline. */
export function warnOfChannels({ sound }: ExportDocument): string[] {
  const left = (sound?.searched ?? []).reduce(
    (sum, { channels }) => sum + Math.max(0, channels.length - maxChannelsOfTrack),
    0,
  )
  if (left === 0) return []
  return [
    `An audio track has at most ${maxChannelsOfTrack} channels in xmeml: ${counted(left, 'channel')} of the media ${left === 1 ? 'is' : 'are'} left out. Use as=fcpxml or otio.`,
  ]
}

/** The colours of Premiere Pro, as it writes them: alpha, blue, green and red. Its own green is that of a marker without a colour. */
const premiereColours: Readonly<Record<MarkerColour, number | undefined>> = {
  ...{ red: 4_281_740_498, yellow: 4_281_049_552, purple: 4_289_825_711, blue: 4_294_741_314, cyan: 4_292_277_273 },
  green: undefined,
}

function markerElement({ label, kind, colour, frame, frames }: Marker): XmlElement {
  const number = premiereColours[colour]
  return element('marker', {}, [
    textElement('comment', kind),
    textElement('name', label),
    textElement('in', frame),
    // A marker of one frame has no range.
    textElement('out', frames === 1 ? -1 : frame + frames),
    ...(number === undefined ? [] : [textElement('pproColor', number)]),
  ])
}

function* clipItems(
  document: ExportDocument,
  edits: readonly Edit[],
  track: TimelineTrack,
  tracks: readonly TimelineTrack[],
) {
  for (const [index, edit] of edits.entries()) yield clipItem({ document, edit, index, track, tracks })
}

/** A track of the timeline. Those of sound play one channel of the medium. */
interface TimelineTrack {
  readonly kind: 'video' | 'audio'
  readonly number: number
  readonly channel?: number
}

interface ClipItemInput {
  readonly document: ExportDocument
  readonly edit: Edit
  readonly index: number
  readonly track: TimelineTrack
  readonly tracks: readonly TimelineTrack[]
}

function clipItem({ document, edit, index, track, tracks }: ClipItemInput): XmlElement {
  const idOn = ({ kind, number }: TimelineTrack) => `${kind}${number}-${index + 1}`
  const isFirst = index === 0 && tracks[0] !== undefined && idOn(track) === idOn(tracks[0])
  const source =
    track.channel === undefined
      ? []
      : [element('sourcetrack', {}, [textElement('mediatype', 'audio'), textElement('trackindex', track.channel)])]
  const links = tracks.map((each) =>
    element('link', {}, [
      textElement('linkclipref', idOn(each)),
      textElement('mediatype', each.kind),
      textElement('trackindex', each.number),
      textElement('clipindex', index + 1),
    ]),
  )
  return element('clipitem', { id: idOn(track) }, [
    textElement('name', edit.label),
    textElement('duration', mediaFrames(document)),
    rateElement(document),
    textElement('start', edit.recordStart),
    textElement('end', edit.recordEnd),
    textElement('in', edit.sourceStart),
    textElement('out', edit.sourceEnd),
    isFirst ? fileElement(document) : element('file', { id: 'file-1' }),
    ...source,
    ...(tracks.length > 1 && tracks.length <= maxLinkedTracks ? links : []),
  ])
}

/** The file is described once; every other item names it. */
function fileElement(document: ExportDocument): XmlElement {
  const { mediaName, picture, sound, firstFrame, reel } = document
  return element('file', { id: 'file-1' }, [
    textElement('name', mediaName),
    textElement('pathurl', mediaAddress(document)),
    rateElement(document),
    textElement('duration', mediaFrames(document)),
    timecodeElement(document, firstFrame, reel),
    element('media', {}, [
      ...(picture ? [element('video', {}, [characteristics(document, picture)])] : []),
      ...(sound?.tracks ?? []).map(({ channels }) =>
        element('audio', {}, [textElement('channelcount', channels.length)]),
      ),
    ]),
  ])
}

function formatElement(document: ExportDocument, picture: ExportedPicture): XmlElement {
  return element('format', {}, [characteristics(document, picture)])
}

function characteristics(document: ExportDocument, { width, height, pixelAspect, firstField }: ExportedPicture) {
  return element('samplecharacteristics', {}, [
    rateElement(document),
    textElement('width', width),
    textElement('height', height),
    ...pixelShape(pixelAspect),
    textElement('fielddominance', firstField ?? 'none'),
  ])
}

/** xmeml names shapes of pixels. The standards of video state the same shape in ratios that differ by up to three per cent. */
const pixelShapes = [
  { name: 'NTSC-601', aspect: 10 / 11, isAnamorphic: false },
  { name: 'PAL-601', aspect: 12 / 11, isAnamorphic: false },
  { name: 'NTSC-601', aspect: 40 / 33, isAnamorphic: true },
  { name: 'HD-(1440x1080)', aspect: 4 / 3, isAnamorphic: false },
  { name: 'PAL-601', aspect: 16 / 11, isAnamorphic: true },
  { name: 'HD-(1280x1080)', aspect: 3 / 2, isAnamorphic: false },
]
const sameShape = Math.log(1.03)

/** Left out for a shape without a name: the editor then takes that of the file. */
function pixelShape(pixelAspect: ExportedPicture['pixelAspect']): XmlElement[] {
  if (!pixelAspect) return [textElement('pixelaspectratio', 'square')]
  const distance = ({ aspect }: { readonly aspect: number }) =>
    Math.abs(Math.log(pixelAspect.across / pixelAspect.down / aspect))
  const [nearest] = pixelShapes.toSorted((one, other) => distance(one) - distance(other))
  if (!nearest || distance(nearest) > sameShape) return []
  return [textElement('pixelaspectratio', nearest.name), textElement('anamorphic', nearest.isAnamorphic)]
}

function rateElement({ rate }: ExportDocument): XmlElement {
  return element('rate', {}, [textElement('timebase', timebaseOf(rate)), textElement('ntsc', isNtsc(rate))])
}

function timecodeElement(document: ExportDocument, frame: number, reel?: string): XmlElement {
  const { rate, isDropFrame } = document
  return element('timecode', {}, [
    rateElement(document),
    textElement('string', timecodeOf(frame, rate, isDropFrame)),
    textElement('frame', frame),
    textElement('displayformat', isDropFrame ? 'DF' : 'NDF'),
    ...(reel ? [element('reel', {}, [textElement('name', reel)])] : []),
  ])
}
