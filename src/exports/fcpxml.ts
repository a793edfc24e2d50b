import { type EditRate, timebaseOf } from '../core/edit-rate.ts'
import {
  type ExportDocument,
  type ExportedPicture,
  type ExportedSound,
  editsOf,
  mediaFrames,
} from './export-document.ts'
import { type Marker, markersOf } from './markers.ts'
import { mediaAddress } from './media-address.ts'
import { lengthOf, type Multicam } from './multicam.ts'
import { element, type XmlElement, xmlDocument } from './xml.ts'

/** Final Cut Pro cannot have a timeline without a picture. */
const pictureOfSound = { width: 1920, height: 1080 }

/** FCPXML 1.8, which Final Cut Pro 10.4 and later, and DaVinci Resolve open. All times are whole frames. */
export function writeFcpxml(document: ExportDocument): Iterable<string> {
  const { rate, firstFrame, recordFrame = 0, isDropFrame, picture, sound, title } = document
  const time = (frames: number) => rationalTime(frames, rate)
  const edits = editsOf(document)
  const tcFormat = isDropFrame ? 'DF' : 'NDF'
  const inClip = [
    ...markersOf(document).map((marker) => markerElement(marker, firstFrame, time)),
    ...(sound ? heardChannels(sound) : []),
  ]
  const clips = edits.map(({ label, sourceStart, sourceEnd, recordStart }) => {
    const clip = {
      ...{ ref: 'r2', name: label, offset: time(recordFrame + recordStart), start: time(firstFrame + sourceStart) },
      ...{ duration: time(sourceEnd - sourceStart), tcFormat },
      ...(picture ? { format: 'r1' } : { audioRole: 'dialogue' }),
    }
    return element('asset-clip', clip, inClip)
  })
  const duration = time(edits.at(-1)?.recordEnd ?? 0)
  const sequence = element('sequence', { format: 'r1', duration, tcStart: time(recordFrame), tcFormat }, [
    element('spine', {}, clips),
  ])
  const asset = assetElement({ id: 'r2', format: 'r1' }, document)
  return fcpxmlDocument(title, [formatElement('r1', document), asset], sequence)
}

/** The frames of a medium, or of a timeline of it. */
function formatElement(id: string, { rate, picture }: ExportDocument): XmlElement {
  return element('format', { id, frameDuration: rationalTime(1, rate), ...formatOf(picture) })
}

/** A medium. */
function assetElement({ id, format }: { readonly id: string; readonly format: string }, document: ExportDocument) {
  const { rate, firstFrame, picture, sound, mediaName, reel } = document
  const asset = {
    ...{ id, name: mediaName, src: mediaAddress(document) },
    ...{ start: rationalTime(firstFrame, rate), duration: rationalTime(mediaFrames(document), rate) },
    ...(picture ? { hasVideo: 1, format } : {}),
    ...(sound ? audioOf(sound) : {}),
  }
  return element('asset', asset, reel ? [reelElement(reel)] : [])
}

/** A multicam clip of recordings of one event, with an angle for each, and a timeline that plays the picture and sound of the first. */
export function writeFcpxmlAngles(multicam: Multicam): Iterable<string> {
  const { title, rate, recordFrame = 0, isDropFrame, angles } = multicam
  const time = (frames: number) => rationalTime(frames, rate)
  const tcFormat = isDropFrame ? 'DF' : 'NDF'
  const firstWith = (kind: 'picture' | 'sound') =>
    Math.max(
      0,
      angles.findIndex(({ document }) => document[kind]),
    )
  const [shown, heard] = [firstWith('picture'), firstWith('sound')]
  const assets = angles.flatMap(({ document }, index) => {
    const ids = { id: `asset-${index + 1}`, format: `format-${index + 1}` }
    return [formatElement(ids.format, document), assetElement(ids, document)]
  })
  const mcAngles = angles.map(({ document, startFrame, frames }, index) => {
    const clip = {
      ...{ ref: `asset-${index + 1}`, name: document.mediaName, offset: time(startFrame) },
      ...{ start: rationalTime(document.firstFrame, document.rate), duration: time(frames) },
      ...(document.picture ? { format: `format-${index + 1}` } : { audioRole: 'dialogue' }),
    }
    const gap = element('gap', { name: 'Gap', offset: '0s', start: '0s', duration: time(startFrame) })
    return element('mc-angle', { name: document.mediaName, angleID: `angle-${index + 1}` }, [
      ...(startFrame > 0 ? [gap] : []),
      element('asset-clip', clip),
    ])
  })
  const format = `format-${shown + 1}`
  const played = angles.flatMap((_, index) => {
    const plays = [...(index === shown ? ['video'] : []), ...(index === heard ? ['audio'] : [])]
    const srcEnable = plays.length === 2 ? 'all' : plays[0]
    return srcEnable === undefined ? [] : [element('mc-source', { angleID: `angle-${index + 1}`, srcEnable })]
  })
  const duration = time(lengthOf(multicam))
  const clip = { ref: 'multicam', name: title, offset: time(recordFrame), start: '0s', duration }
  const sequence = element('sequence', { format, duration, tcStart: time(recordFrame), tcFormat }, [
    element('spine', {}, [element('mc-clip', clip, played)]),
  ])
  return fcpxmlDocument(
    title,
    [
      ...assets,
      element('media', { id: 'multicam', name: title }, [
        element('multicam', { format, tcStart: '0s', tcFormat }, mcAngles),
      ]),
    ],
    sequence,
  )
}

/** A library with one event, which has one project. */
function fcpxmlDocument(title: string, resources: readonly XmlElement[], sequence: XmlElement): Iterable<string> {
  const event = element('event', { name: title }, [element('project', { name: title }, [sequence])])
  return xmlDocument(
    'fcpxml',
    element('fcpxml', { version: '1.8' }, [element('resources', {}, resources), element('library', {}, [event])]),
  )
}

/** Final Cut Pro has no colours: topics are chapters, and the note of the others is their kind. */
function markerElement({ label, kind, frame, frames }: Marker, firstFrame: number, time: (frames: number) => string) {
  const placed = { start: time(firstFrame + frame), duration: time(frames), value: label }
  return kind === 'topic'
    ? element('chapter-marker', { ...placed, posterOffset: '0s' })
    : element('marker', { ...placed, note: kind })
}

function reelElement(reel: string): XmlElement {
  return element('metadata', {}, [element('md', { key: 'com.apple.proapps.studio.reel', value: reel })])
}

function audioOf({ tracks, sampleRate }: ExportedSound): Readonly<Record<string, number>> {
  const channels = tracks.flatMap((track) => track.channels)
  return { hasAudio: 1, audioSources: tracks.length, audioChannels: channels.length, audioRate: sampleRate }
}

/** Which tracks a clip plays: an editor plays all of them if it is not told. */
function heardChannels({ tracks, searched }: ExportedSound): XmlElement[] {
  if (searched.length === tracks.length) return []
  return tracks.map((track) =>
    element('audio-channel-source', {
      srcCh: track.channels.join(', '),
      role: 'dialogue',
      ...(searched.includes(track) ? {} : { active: 0 }),
    }),
  )
}

function formatOf(picture: ExportedPicture = pictureOfSound): Readonly<Record<string, string | number>> {
  const { width, height, pixelAspect, firstField } = picture
  return {
    ...(firstField && { fieldOrder: `${firstField} first` }),
    ...{ width, height },
    ...(pixelAspect && { paspH: pixelAspect.across, paspV: pixelAspect.down }),
  }
}

/** `1001/30000s`: frames in seconds, without rounding. */
function rationalTime(frames: number, rate: EditRate): string {
  if (frames === 0) return '0s'
  if (rate.seconds === 1 && frames % timebaseOf(rate) === 0) return `${frames / rate.frames}s`
  return `${frames * rate.seconds}/${rate.frames}s`
}
