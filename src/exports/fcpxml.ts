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
import { element, type XmlElement, xmlDocument } from './xml.ts'

/** Final Cut Pro cannot have a timeline without a picture. */
const pictureOfSound = { width: 1920, height: 1080 }

/** FCPXML 1.8, which Final Cut Pro 10.4 and later, and DaVinci Resolve open. All times are whole frames. */
export function writeFcpxml(document: ExportDocument): Iterable<string> {
  const { rate, firstFrame, recordFrame = 0, isDropFrame, picture, sound, title, mediaName, reel } = document
  const time = (frames: number) => rationalTime(frames, rate)
  const edits = editsOf(document)
  const tcFormat = isDropFrame ? 'DF' : 'NDF'
  const format = { id: 'r1', frameDuration: time(1), ...formatOf(picture) }
  const asset = {
    ...{ id: 'r2', name: mediaName, src: mediaAddress(document) },
    ...{ start: time(firstFrame), duration: time(mediaFrames(document)) },
    ...(picture ? { hasVideo: 1, format: 'r1' } : {}),
    ...(sound ? audioOf(sound) : {}),
  }
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
  const project = element('project', { name: title }, [sequence])
  return xmlDocument(
    'fcpxml',
    element('fcpxml', { version: '1.8' }, [
      element('resources', {}, [element('format', format), element('asset', asset, reel ? [reelElement(reel)] : [])]),
      element('library', {}, [element('event', { name: title }, [project])]),
    ]),
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
