import { isNtsc, timebaseOf, timecodeOf } from './edit-rate.ts'
import { type Edit, type ExportDocument, type ExportedPicture, editsOf, mediaFrames } from './export-document.ts'
import { mediaAddress } from './fcpxml.ts'
import { element, textElement, type XmlElement, xmlDocument } from './xml.ts'

/** Editors put each channel of a stereo file on a track of its own. */
const maxAudioTracks = 2

/** xmeml 5 (Final Cut Pro 7), which Premiere Pro and DaVinci Resolve open. */
export function writeXmeml(document: ExportDocument): string {
  const { title, picture, sound } = document
  const edits = editsOf(document)
  const audioTracks = Math.min(maxAudioTracks, sound?.channels ?? 0)
  const tracks = [
    ...(picture ? ['video'] : []),
    ...Array.from({ length: audioTracks }, (_, index) => `audio${index + 1}`),
  ]
  const items = (track: string) =>
    element(
      'track',
      {},
      edits.map((edit, index) => clipItem({ document, edit, index, track, tracks })),
    )
  const media = [
    ...(picture ? [element('video', {}, [formatElement(document, picture), items('video')])] : []),
    ...(audioTracks > 0 ? [element('audio', {}, tracks.filter((track) => track !== 'video').map(items))] : []),
  ]
  const sequence = element('sequence', { id: 'sequence-1' }, [
    textElement('name', title),
    textElement('duration', edits.at(-1)?.recordEnd ?? 0),
    rateElement(document),
    timecodeElement(document, 0),
    element('media', {}, media),
  ])
  return xmlDocument('xmeml', element('xmeml', { version: '5' }, [sequence]))
}

interface ClipItemInput {
  readonly document: ExportDocument
  readonly edit: Edit
  readonly index: number
  readonly track: string
  readonly tracks: readonly string[]
}

function clipItem({ document, edit, index, track, tracks }: ClipItemInput): XmlElement {
  const isFirst = index === 0 && track === tracks[0]
  const [, trackIndex] = /^audio(\d)$/.exec(track) ?? []
  const source = trackIndex
    ? [element('sourcetrack', {}, [textElement('mediatype', 'audio'), textElement('trackindex', trackIndex)])]
    : []
  const links = tracks.map((each) =>
    element('link', {}, [
      textElement('linkclipref', `${each}-${index + 1}`),
      textElement('mediatype', each === 'video' ? 'video' : 'audio'),
      textElement('trackindex', each === 'video' ? 1 : each.slice(-1)),
      textElement('clipindex', index + 1),
    ]),
  )
  return element('clipitem', { id: `${track}-${index + 1}` }, [
    textElement('name', edit.label),
    textElement('duration', mediaFrames(document)),
    rateElement(document),
    textElement('start', edit.recordStart),
    textElement('end', edit.recordEnd),
    textElement('in', edit.sourceStart),
    textElement('out', edit.sourceEnd),
    isFirst ? fileElement(document) : element('file', { id: 'file-1' }),
    ...source,
    ...(tracks.length > 1 ? links : []),
  ])
}

/** The file is described once; every other item names it. */
function fileElement(document: ExportDocument): XmlElement {
  const { mediaName, picture, sound, firstFrame } = document
  return element('file', { id: 'file-1' }, [
    textElement('name', mediaName),
    textElement('pathurl', mediaAddress(mediaName)),
    rateElement(document),
    textElement('duration', mediaFrames(document)),
    timecodeElement(document, firstFrame),
    element('media', {}, [
      ...(picture ? [element('video', {}, [characteristics(document, picture)])] : []),
      ...(sound ? [element('audio', {}, [textElement('channelcount', sound.channels)])] : []),
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

function timecodeElement(document: ExportDocument, frame: number): XmlElement {
  const { rate, isDropFrame } = document
  return element('timecode', {}, [
    rateElement(document),
    textElement('string', timecodeOf(frame, rate, isDropFrame)),
    textElement('frame', frame),
    textElement('displayformat', isDropFrame ? 'DF' : 'NDF'),
  ])
}
