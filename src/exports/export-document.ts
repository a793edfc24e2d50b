import { type EditRate, editFrameAt, editRateOf, editRates, frameOfTimecode } from '../core/edit-rate.ts'
import { ServiceError } from '../core/errors.ts'
import {
  type AudioTrack,
  type AudioTrackChoice,
  type ClipFormat,
  clipFormatOf,
  type MediaInfo,
  type VideoTrack,
} from '../core/media.ts'
import type { Segment } from '../core/segments.ts'
import { snapRanges } from '../core/snap-ranges.ts'
import { firstFrameOf } from './export-entries.ts'

/** A segment, or a moment that ends as it starts, with what people call it. */
export interface ExportEntry extends Segment {
  readonly label: string
  /** What the entries of its list are called, such as `silence`. Not given for lines of captions. */
  readonly kind?: string
  /** Whether the label is a noun with a number, because the segment has no title and no text. */
  readonly isUnnamed?: boolean
}

/** The picture of the medium, in its own pixels. */
export type ExportedPicture = Pick<VideoTrack, 'width' | 'height' | 'pixelAspect' | 'firstField' | 'trackIndex'>

/** An audio track of the medium. */
interface ExportedTrack {
  /** Among the audio tracks, from 0. */
  readonly index: number
  /** As editors count them: from 1, over all tracks. */
  readonly channels: readonly number[]
}

export interface ExportedSound {
  readonly sampleRate: number
  readonly tracks: readonly ExportedTrack[]
  /** The tracks in which the entries were found; otherwise the default track. */
  readonly searched: readonly ExportedTrack[]
}

export function isMoment({ start, end }: Segment): boolean {
  return start === end
}

/** `cuts`: the entries, one after another. `markers`: the whole medium, with a marker for each entry. */
export const exportPurposes = ['markers', 'cuts'] as const
export type ExportPurpose = (typeof exportPurposes)[number]

/** What every format writes: entries of one medium, in seconds from its start. */
export interface ExportDocument {
  readonly what: ExportPurpose
  /** What the export is called in an editor. */
  readonly title: string
  /** The file name of the medium. */
  readonly mediaName: string
  readonly mediaPath?: string | undefined
  /** What the tape or the card of the medium is called. */
  readonly reel?: string | undefined
  readonly mediaSeconds: number
  /** Of a cut of the medium. */
  readonly cutFormat: ClipFormat
  /** In the order of the result; never empty. */
  readonly entries: readonly ExportEntry[]
  readonly rate: EditRate
  /** The timecode of the medium's first frame, as a number of frames. */
  readonly firstFrame: number
  /** Whether the medium states that timecode. */
  readonly hasTimecode: boolean
  /** When that frame is shown, from which on frames are counted. 0 if the medium states no timecode of its first frame. */
  readonly firstFrameSeconds: number
  /** The timecode with which the timeline begins. Undefined for what the format usually has. */
  readonly recordFrame?: number | undefined
  readonly isDropFrame: boolean
  readonly picture: ExportedPicture | undefined
  readonly sound: ExportedSound | undefined
}

export interface DescribeExportInput {
  readonly mediaName: string
  readonly entries: readonly ExportEntry[]
  /** `cuts` when left out. */
  readonly what?: ExportPurpose | undefined
  /** Undefined if no media is known: the entries came from the caller. */
  readonly media: MediaInfo | undefined
  /** The audio tracks in which the entries were found. */
  readonly searched?: AudioTrackChoice | undefined
  /** The caller's choice. Without it, that of the picture, and 30 without a picture. */
  readonly rate: EditRate | undefined
  /** Where the caller has the medium: a path, or a folder that ends with a slash. */
  readonly mediaPath?: string | undefined
  readonly reel?: string | undefined
  /** The timecode with which the timeline begins. */
  readonly recordStart?: string | undefined
}

/** Media of unknown length ends where the last entry does. Sound without a picture is edited at 30 frames a second. */
export function describeExport({
  mediaName,
  entries,
  what = 'cuts',
  media,
  searched,
  rate: asked,
  recordStart,
  ...named
}: DescribeExportInput): ExportDocument {
  const { video } = media ?? {}
  const rate = asked ?? (video ? editRateOf(video.nominalFrameRate ?? video.frameRate) : editRates['30'])
  const first = media && firstFrameOf(media, rate)
  return {
    ...named,
    what,
    title: titleOf(mediaName),
    mediaName,
    mediaSeconds: media?.durationSeconds ?? Math.max(...entries.map(({ end }) => end)),
    cutFormat: media ? clipFormatOf(media) : 'm4a',
    entries,
    rate,
    firstFrame: first?.frame ?? 0,
    hasTimecode: first !== undefined,
    // The time of day of a sound recorder is that of the medium's start.
    firstFrameSeconds: first && media?.timecode !== undefined ? (video?.startSeconds ?? 0) : 0,
    ...countingOf(recordStart, rate, first?.isDropFrame),
    picture: video ?? undefined,
    sound: soundOf(media?.audio ?? [unknownTrack], searched),
  }
}

/** The timeline counts as the medium does. Without a timecode of the medium, as the timeline's own. */
function countingOf(recordStart: string | undefined, rate: EditRate, isMediumDropFrame: boolean | undefined) {
  if (recordStart === undefined) return { isDropFrame: isMediumDropFrame ?? false }
  const asMedium = { true: ';', false: ':', undefined: recordStart.at(8) ?? ':' }[`${isMediumDropFrame}`]
  const record = frameOfTimecode(`${recordStart.slice(0, 8)}${asMedium}${recordStart.slice(9)}`, rate)
  if (!record)
    throw new ServiceError(
      'invalid_request',
      `record_start: ${recordStart} has more frames than a second of this timeline.`,
    )
  return { recordFrame: record.frame, isDropFrame: record.isDropFrame }
}

const unknownTrack = { channels: 2, sampleRate: 48_000, isDefault: true }

type SoundTrack = Pick<AudioTrack, 'channels' | 'sampleRate' | 'isDefault'>

function soundOf(audio: readonly SoundTrack[], searched: AudioTrackChoice = 'default'): ExportedSound | undefined {
  let before = 0
  const tracks = audio.map(({ channels: count }, index) => {
    const channels = Array.from({ length: count }, (_, channel) => before + channel + 1)
    before += count
    return { index, channels }
  })
  const chosen = searched === 'default' ? audio.findIndex(({ isDefault }) => isDefault) : searched
  const found = tracks.filter(({ index }) => chosen === 'all' || index === chosen)
  const [first] = found
  return first && { sampleRate: audio[first.index]?.sampleRate ?? unknownTrack.sampleRate, tracks, searched: found }
}

export function titleOf(mediaName: string): string {
  return mediaName.replace(/\.\w+$/, '') || mediaName
}

/** An entry as an edit: frames of the source, counted from its start, and of the edited timeline. */
export interface Edit {
  readonly label: string
  readonly sourceStart: number
  readonly sourceEnd: number
  readonly recordStart: number
  readonly recordEnd: number
}

/** Editors become slow before this, and longer files would take the API long. */
export const usualMaxEdits = 2_000

/**
 * The edits of the timeline: the whole medium under its markers, or the entries one after another, with the frames that a clip of them
 * has. Entries without a frame are left out. Throws `invalid_request` for more than the format, or an editor, can have.
 */
export function editsOf({ what, title, entries, ...medium }: ExportDocument, maxEdits = usualMaxEdits): Edit[] {
  const last = mediaFrames(medium)
  if (what === 'markers') return [{ label: title, sourceStart: 0, sourceEnd: last, recordStart: 0, recordEnd: last }]
  const { rate, firstFrameSeconds } = medium
  const { grid, frameOf } = gridAround(entries, { rate, firstFrameSeconds }, last)
  const lastSeconds = firstFrameSeconds + last * ticksPerFrame * grid.secondsPerTick
  const within = (seconds: number) => Math.min(Math.max(seconds, firstFrameSeconds), lastSeconds)
  const inMedium = entries.map(({ start, end, label }) => ({ start: within(start), end: within(end), label }))
  const edits = snapRanges(inMedium, grid).map(({ requested: { label }, startTick, endTick, atTick }) => ({
    label,
    ...{ sourceStart: frameOf(startTick), sourceEnd: frameOf(endTick) },
    ...{ recordStart: frameOf(atTick), recordEnd: frameOf(atTick + endTick - startTick) },
  }))
  if (edits.length > maxEdits) {
    throw new ServiceError(
      'invalid_request',
      `A file of this format has at most ${maxEdits} edits, and this result has ${edits.length}. Join near ones with timeline/suggest-ranges and its merge_gap_seconds, or use as=${maxEdits < usualMaxEdits ? 'otio, fcpxml, xmeml or ' : ''}csv.`,
    )
  }
  return edits
}

/** About as fine as the clocks of containers. */
const ticksPerFrame = 1024

/** The frames beside each edge, of a medium whose frames all have one length. */
function gridAround(entries: readonly Segment[], counting: Counting, last: number) {
  const { rate, firstFrameSeconds } = counting
  const edges = entries.flatMap(({ start, end }) => [mediaFrameAt(start, counting), mediaFrameAt(end, counting)])
  const beside = new Set(edges.flatMap((frame) => [-2, -1, 0, 1, 2].map((step) => frame + step)))
  const frames = [...beside].filter((frame) => frame >= 0 && frame < last).toSorted((one, other) => one - other)
  const grid = {
    frameTicks: frames.map((frame) => frame * ticksPerFrame),
    endTick: last * ticksPerFrame,
    secondsPerTick: rate.seconds / (rate.frames * ticksPerFrame),
    originSeconds: -firstFrameSeconds,
  }
  return { grid, frameOf: (tick: number) => Math.round(tick / ticksPerFrame) }
}

/** Matroska rounds times to the millisecond. */
const roundingSeconds = 0.0005

type Counting = Pick<ExportDocument, 'rate' | 'firstFrameSeconds'>

/** The length of the medium from its first frame in whole frames: no edit ends after it, because editors refuse media that is shorter than stated. */
export function mediaFrames({
  mediaSeconds,
  rate,
  firstFrameSeconds,
}: Counting & Pick<ExportDocument, 'mediaSeconds'>) {
  return Math.max(1, Math.floor(((mediaSeconds - firstFrameSeconds + roundingSeconds) * rate.frames) / rate.seconds))
}

/** The frame boundary that is nearest to a time of the medium, counted from its first frame. */
export function mediaFrameAt(seconds: number, { rate, firstFrameSeconds }: Counting): number {
  return editFrameAt(seconds - firstFrameSeconds, rate)
}
