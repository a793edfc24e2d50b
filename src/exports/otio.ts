import type { EditRate } from '../core/edit-rate.ts'
import { type Edit, type ExportDocument, editsOf, mediaFrames } from './export-document.ts'
import { markersOf } from './markers.ts'
import { mediaAddress } from './media-address.ts'
import type { Multicam } from './multicam.ts'

/** OpenTimelineIO, its JSON form. One track for each kind, with the same clips; markers are on the first one. */
export function* writeOtio(document: ExportDocument): Generator<string> {
  const { title, rate, firstFrame, recordFrame } = document
  const range = rangesAt(rate)
  const markers = markersOf(document).map(({ label, kind, colour, frame, frames }) => ({
    OTIO_SCHEMA: 'Marker.2',
    name: label,
    color: colour.toUpperCase(),
    comment: kind,
    marked_range: range(firstFrame + frame, firstFrame + frame + frames),
    metadata: {},
  }))
  const clips = editsOf(document).map((edit) => clipOf(document, edit))
  const tracks = kindsOf(document).map((kind, index) =>
    trackOf(
      kind,
      kind,
      clips.map((clip) => ({ ...clip, markers: index === 0 ? markers : [] })),
    ),
  )
  yield timelineOf({ title, rate, recordFrame }, tracks)
}

/** Recordings of one event, each on tracks of its own that begin where it does. */
export function* writeOtioAngles({ angles, ...multicam }: Multicam): Generator<string> {
  const range = rangesAt(multicam.rate)
  const tracks = angles.flatMap(({ document, startFrame }) => {
    const gap = {
      OTIO_SCHEMA: 'Gap.1',
      name: '',
      source_range: range(0, startFrame),
      effects: [],
      markers: [],
      metadata: {},
    }
    const clip = clipOf(document, { label: document.mediaName, sourceStart: 0, sourceEnd: mediaFrames(document) })
    const children = [...(startFrame > 0 ? [gap] : []), { ...clip, markers: [] }]
    return kindsOf(document).map((kind) => trackOf(document.mediaName, kind, children))
  })
  yield timelineOf(multicam, tracks)
}

const timeAt = (rate: EditRate) => (value: number) => ({
  ...{ OTIO_SCHEMA: 'RationalTime.1', rate: rate.frames / rate.seconds, value },
})

const rangesAt = (rate: EditRate) => {
  const time = timeAt(rate)
  return (start: number, end: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(end - start),
  })
}

type Kind = 'Video' | 'Audio'

const kindsOf = ({ picture, sound }: ExportDocument): Kind[] => [
  ...(picture ? ['Video' as const] : []),
  ...(sound ? ['Audio' as const] : []),
]

function clipOf(document: ExportDocument, edit: Pick<Edit, 'label' | 'sourceStart' | 'sourceEnd'>) {
  const { mediaName, rate, firstFrame, reel } = document
  const range = rangesAt(rate)
  return {
    OTIO_SCHEMA: 'Clip.1',
    name: edit.label,
    source_range: range(firstFrame + edit.sourceStart, firstFrame + edit.sourceEnd),
    media_reference: {
      OTIO_SCHEMA: 'ExternalReference.1',
      name: mediaName,
      target_url: document.mediaPath ? mediaAddress(document) : encodeURIComponent(mediaName),
      available_range: range(firstFrame, firstFrame + mediaFrames(document)),
      metadata: {},
    },
    effects: [],
    metadata: reel ? { cmx_3600: { reel } } : {},
  }
}

function trackOf(name: string, kind: Kind, children: readonly object[]) {
  return { OTIO_SCHEMA: 'Track.1', name, kind, source_range: null, children, effects: [], markers: [], metadata: {} }
}

function timelineOf(
  { title, rate, recordFrame }: Pick<ExportDocument, 'title' | 'rate' | 'recordFrame'>,
  children: readonly object[],
): string {
  const stack = { OTIO_SCHEMA: 'Stack.1', name: 'tracks', source_range: null, children, effects: [], markers: [] }
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    name: title,
    global_start_time: recordFrame === undefined ? null : timeAt(rate)(recordFrame),
    metadata: {},
    tracks: { ...stack, metadata: {} },
  }
  return `${JSON.stringify(timeline, null, 2)}\n`
}
