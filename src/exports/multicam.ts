import { type EditRate, editFrameAt } from '../core/edit-rate.ts'
import { type DescribeExportInput, describeExport, type ExportDocument, mediaFrames } from './export-document.ts'

/** Recordings of one event on one timeline, each where its sound agrees with that of the reference. */
export interface Multicam {
  readonly title: string
  readonly rate: EditRate
  readonly recordFrame?: number | undefined
  readonly isDropFrame: boolean
  readonly angles: readonly Angle[]
}

export interface Angle {
  /** The whole recording, at its own rate: its timecode counts these frames. Without a picture, at that of the timeline. */
  readonly document: ExportDocument
  /** Where it begins on the timeline, and how long it is there, in frames of the timeline. One begins at 0. */
  readonly startFrame: number
  readonly frames: number
}

export interface SyncedRecording {
  readonly mediaName: string
  readonly media: NonNullable<DescribeExportInput['media']>
  /** When it begins, on the clock of the reference. */
  readonly offsetSeconds: number
  readonly driftPpm: number
}

type TimelineInput = Pick<DescribeExportInput, 'rate' | 'mediaPath' | 'recordStart'>

/**
 * The timeline has the rate of the first recording with a picture, unless the caller chose one. A clock that drifts is right in the
 * middle of its recording, because editors play angles at their own speed.
 */
export function describeMulticam(
  recordings: readonly [SyncedRecording, ...SyncedRecording[]],
  input: TimelineInput,
): Multicam {
  const [reference] = recordings
  const describe = (
    { mediaName, media }: SyncedRecording,
    { rate, recordStart }: Pick<TimelineInput, 'rate' | 'recordStart'>,
  ) => describeExport({ ...input, mediaName, media, rate, recordStart, what: 'markers', entries: [] })
  const { rate, title, recordFrame, isDropFrame } = describe(
    recordings.find(({ media }) => media.video) ?? reference,
    input,
  )
  const placed = recordings.map((recording) => {
    const { offsetSeconds, driftPpm, media } = recording
    const onTimeline = describe(recording, { ...input, rate })
    const document = media.video ? describe(recording, { rate: undefined, recordStart: undefined }) : onTimeline
    const startSeconds = offsetSeconds + document.firstFrameSeconds + ((driftPpm / 1e6) * media.durationSeconds) / 2
    return { onTimeline, document, startSeconds }
  })
  const first = Math.min(...placed.map(({ startSeconds }) => startSeconds))
  const angles = placed.map(({ onTimeline, document, startSeconds }) => {
    // No longer than the asset, whose frames can be longer than those of the timeline.
    const assetSeconds = (mediaFrames(document) * document.rate.seconds) / document.rate.frames
    const frames = Math.min(mediaFrames(onTimeline), Math.floor((assetSeconds * rate.frames) / rate.seconds + 1e-6))
    return { document, startFrame: editFrameAt(startSeconds - first, rate), frames: Math.max(1, frames) }
  })
  return { title, rate, recordFrame, isDropFrame, angles }
}

/** In frames. */
export function lengthOf({ angles }: Multicam): number {
  return Math.max(...angles.map(({ startFrame, frames }) => startFrame + frames))
}
