import { type ExportDocument, editsOf, mediaFrames } from './export-document.ts'
import { markersOf } from './markers.ts'
import { mediaAddress } from './media-address.ts'

/** OpenTimelineIO, its JSON form. One track for each kind, with the same clips; markers are on the first one. */
export function* writeOtio(document: ExportDocument): Generator<string> {
  const { title, mediaName, rate, firstFrame, recordFrame, picture, sound, reel } = document
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: rate.frames / rate.seconds, value })
  const range = (start: number, end: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(end - start),
  })
  const media = {
    OTIO_SCHEMA: 'ExternalReference.1',
    name: mediaName,
    target_url: document.mediaPath ? mediaAddress(document) : encodeURIComponent(mediaName),
    available_range: range(firstFrame, firstFrame + mediaFrames(document)),
    metadata: {},
  }
  const markers = markersOf(document).map(({ label, kind, colour, frame, frames }) => ({
    OTIO_SCHEMA: 'Marker.2',
    name: label,
    color: colour.toUpperCase(),
    comment: kind,
    marked_range: range(firstFrame + frame, firstFrame + frame + frames),
    metadata: {},
  }))
  const clips = editsOf(document).map(({ label, sourceStart, sourceEnd }) => ({
    OTIO_SCHEMA: 'Clip.1',
    name: label,
    source_range: range(firstFrame + sourceStart, firstFrame + sourceEnd),
    media_reference: media,
    effects: [],
    metadata: reel ? { cmx_3600: { reel } } : {},
  }))
  const kinds = [...(picture ? ['Video'] : []), ...(sound ? ['Audio'] : [])]
  const tracks = kinds.map((kind, index) => ({
    OTIO_SCHEMA: 'Track.1',
    name: kind,
    kind,
    source_range: null,
    children: clips.map((clip) => ({ ...clip, markers: index === 0 ? markers : [] })),
    effects: [],
    markers: [],
    metadata: {},
  }))
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    name: title,
    global_start_time: recordFrame === undefined ? null : time(recordFrame),
    metadata: {},
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      source_range: null,
      children: tracks,
      effects: [],
      markers: [],
      metadata: {},
    },
  }
  yield `${JSON.stringify(timeline, null, 2)}\n`
}
