import { type ExportDocument, editsOf, mediaFrames } from './export-document.ts'

/** OpenTimelineIO, its JSON form. One track for each kind, with the same clips. */
export function* writeOtio(document: ExportDocument): Generator<string> {
  const { title, mediaName, rate, firstFrame, picture, sound } = document
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: rate.frames / rate.seconds, value })
  const range = (start: number, end: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(end - start),
  })
  const media = {
    OTIO_SCHEMA: 'ExternalReference.1',
    name: mediaName,
    target_url: encodeURIComponent(mediaName),
    available_range: range(firstFrame, firstFrame + mediaFrames(document)),
    metadata: {},
  }
  const clips = editsOf(document).map(({ label, sourceStart, sourceEnd }) => ({
    OTIO_SCHEMA: 'Clip.1',
    name: label,
    source_range: range(firstFrame + sourceStart, firstFrame + sourceEnd),
    media_reference: media,
    effects: [],
    markers: [],
    metadata: {},
  }))
  const track = (kind: 'Video' | 'Audio') => ({
    OTIO_SCHEMA: 'Track.1',
    name: kind,
    kind,
    source_range: null,
    children: clips,
    effects: [],
    markers: [],
    metadata: {},
  })
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    name: title,
    global_start_time: null,
    metadata: {},
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      source_range: null,
      children: [...(picture ? [track('Video')] : []), ...(sound ? [track('Audio')] : [])],
      effects: [],
      markers: [],
      metadata: {},
    },
  }
  yield `${JSON.stringify(timeline, null, 2)}\n`
}
