import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { placeCues, type ShownRange } from '../../core/captions.ts'
import { type EditRate, firstFrameFrom, frameOfTimecode, timecodeOf } from '../../core/edit-rate.ts'
import { invalidRequest, ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegChapters } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { CropFollower } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { oneLine, removeHidden, shortened } from '../../core/text.ts'
import { type ProbeQuery, readProbe } from '../inspect/probe-json.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { CaptionsRequest } from './burn-captions.ts'
import type { PictureRequest } from './clip-picture.ts'
import { containers, type Quality } from './encoders.ts'
import type { LeadBudget } from './lead-budget.ts'
import type { ClipLogo } from './logo.ts'

/** Chapters, timecode and tags of a clip: a further input, and options of the run that writes the file. */
export interface ClipMarks {
  readonly inputs: readonly FfmpegChapters[]
  readonly options: readonly string[]
}

export const noMarks: ClipMarks = { inputs: [], options: [] }

/** The containers to which ffmpeg writes chapters. */
const withChapters: readonly ClipFormat[] = ['mp4', 'mov', 'm4v', 'm4a', 'webm', 'mp3', 'ogg', 'opus']

type MarksInput = Pick<ClipInput, 'tracks' | 'format' | 'outputPath' | 'ffmpeg' | 'signal'>

/**
 * The chapters of what the clip shows, and the timecode of its first frame. Tags are left to ffmpeg where it reads the source; where it
 * reads pieces, `at` is the index that the further input has, and the tags are from the source too.
 */
export async function marksOf(
  input: MarksInput,
  chosen: ClipTracks,
  shown: readonly ShownRange[],
  at?: number,
): Promise<ClipMarks> {
  const { tracks, format, outputPath } = input
  const { video } = chosen
  const timecode = timecodeOptions(format, video && shownTimecode(tracks, video, shown))
  const chapters = withChapters.includes(format) ? placeCues(await readChapters(tracks, input), shown).cues : []
  if (chapters.length === 0 && at === undefined) return { inputs: [], options: timecode }
  const file = `${outputPath}.marks`
  await writeFile(file, ';FFMETADATA1\n')
  const tags = at === undefined ? [] : await tagOptions(input, chosen, { file, at })
  await appendFile(file, chaptersText(chapters))
  return { inputs: [{ path: file, format: 'chapters' }], options: [...tags, ...timecode] }
}

/** Lyrics are shorter. */
const maxTagBytes = 2 ** 20

/** Writes the tags of the source and of its audio tracks to the file, as ffmpeg would copy them. Too long ones are left out. */
async function tagOptions(
  { tracks, ffmpeg, signal }: MarksInput,
  { video, audio }: ClipTracks,
  { file, at }: { readonly file: string; readonly at: number },
): Promise<string[]> {
  const defaults = [
    ...(video ? ['-disposition:v:0', 'default'] : []),
    ...audio.flatMap((track, index) => [`-disposition:a:${index}`, track.isDefault ? 'default' : '0']),
  ]
  const maps = audio.flatMap(({ streamIndex }) => ['-map', `0:${streamIndex}`])
  await ffmpeg.run({
    ...{ input: tracks.input, signal, deadlineSeconds: 60, output: file },
    cores: 1,
    outputOptions: [...maps, '-c', 'copy', '-t', '0', '-f', 'ffmetadata'],
  })
  if ((await stat(file)).size > maxTagBytes) {
    await writeFile(file, ';FFMETADATA1\n')
    return defaults
  }
  // Of backslashes at the end of a line, an even number belongs to the tag: ffmpeg would read the next line as a part of it.
  await writeFile(file, (await readFile(file, 'latin1')).replaceAll(/(?<!\\)(?:\\\\)+$/gm, ''), 'latin1')
  return [
    ...['-map_metadata', String(at), ...(video ? ['-map_metadata:s:v:0', '0:s:v:0'] : [])],
    ...audio.flatMap((_, index) => [`-map_metadata:s:a:${index}`, `${at}:s:${index}`]),
    ...defaults,
  ]
}

/** A chapter of media, on the clock where the media starts at 0. */
interface Chapter extends Segment {
  /** On one line; empty if it has none. */
  readonly title: string
}

/** Audiobooks have hundreds. */
const maxChapters = 1_000
const maxTitleLength = 200

/** The chapters of media. None if there are too many, or one has a title that is too long to be read. */
async function readChapters(
  { input, chapters, originSeconds }: Pick<Tracks, 'input' | 'chapters' | 'originSeconds'>,
  tools: Pick<ProbeQuery, 'ffmpeg' | 'signal'>,
): Promise<Chapter[]> {
  if (chapters === 0 || chapters > maxChapters) return []
  const entries = ['-show_entries', 'chapter=start_time,end_time:chapter_tags=title']
  const probed = await readProbe({ input, ...tools, entries }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'processing_failed') return undefined
    throw error
  })
  return (probed?.chapters ?? []).flatMap(({ start_time: start, end_time: end, tags }) => {
    if (start === undefined || end === undefined || end <= start) return []
    const title = shortened(removeHidden(oneLine(tags.title ?? '')), maxTitleLength)
    return [{ start: start - originSeconds, end: end - originSeconds, title }]
  })
}

/**
 * In the syntax of ffmpeg's metadata files, where a backslash keeps the meaning of the next character. At the end of a line, ffmpeg takes even an
 * escaped one for that of the next line.
 */
function chaptersText(chapters: readonly Chapter[]): string {
  const inMilliseconds = (seconds: number) => Math.round(seconds * 1000)
  const entries = chapters.map(({ start, end, title }) =>
    [
      ...['[CHAPTER]', 'TIMEBASE=1/1000', `START=${inMilliseconds(start)}`, `END=${inMilliseconds(end)}`],
      `title=${title.replace(/\\+$/, '').replaceAll(/[=;#\\]/g, String.raw`\$&`)}\n`,
    ].join('\n'),
  )
  return entries.join('')
}

/** Other containers copy the tag of the source, which is the timecode of its own first frame. */
function timecodeOptions(format: ClipFormat, timecode: string | null | undefined): string[] {
  if (format === 'mp4' || format === 'mov') return timecode ? ['-timecode', timecode, '-write_tmcd', '1'] : []
  return format === 'webm' ? ['-metadata', `timecode=${timecode ?? ''}`, '-metadata:s:v', 'timecode='] : []
}

/** The timecode of the first frame that is shown. Undefined if the source has none, or its frames are uneven. */
function shownTimecode(
  { start: { timecode, timecodeBase } }: Pick<Tracks, 'start'>,
  video: SourceVideo,
  [first]: readonly ShownRange[],
): string | undefined {
  const rate = rateOf(video)
  const start = timecode && rate ? frameOfTimecode(timecode, rate, timecodeBase) : undefined
  if (!first || !rate || !start) return undefined
  const { start: startSeconds, end } = first.presented
  // The writer needs the rate of several frames.
  if (((end - startSeconds) * rate.frames) / rate.seconds < 2) return undefined
  return timecodeOf(
    start.frame + firstFrameFrom(startSeconds - (video.startSeconds ?? 0), rate),
    rate,
    start.isDropFrame,
  )
}

/** The whole number of frames a second, or the rate of NTSC that is a thousandth slower. */
function rateOf({ frameRate, hasVariableFrameRate }: SourceVideo): EditRate | undefined {
  const rates = [1, 1.001].map((seconds) => ({ base: Math.round(frameRate * seconds), seconds }))
  const found = rates.find(({ base, seconds }) => base > 0 && Math.abs(frameRate * seconds - base) < base / 5000)
  if (!found || hasVariableFrameRate) return undefined
  return found.seconds === 1 ? { frames: found.base, seconds: 1 } : { frames: found.base * 1000, seconds: 1001 }
}

/** Input of both cutting and joining. */
export interface ClipInput {
  readonly tracks: Tracks
  readonly format: ClipFormat
  readonly quality: Quality
  readonly audioOnly: boolean
  /** Length of the fades at both ends and of the crossfades between ranges. */
  readonly fadeSeconds: number
  /** The loudness of every track of the clip. Null keeps the source's. */
  readonly loudnessLufs: number | null
  /** The shape and size of the picture. The source's if left out. */
  readonly picture?: PictureRequest
  /** Makes one progressive picture of the two fields of each frame. Fields are kept where they can be if left out. */
  readonly deinterlace?: boolean
  readonly captions?: CaptionsRequest | null
  readonly logo?: ClipLogo | null
  /** The crop keeps to the centre if left out. */
  readonly follower?: CropFollower | undefined
  /** Shared by all clips of a job. */
  readonly leadBudget: LeadBudget
  /** Temporary files and the poster are written to the same folder. */
  readonly outputPath: string
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void
}

export interface ClipTracks {
  readonly video: SourceVideo | null
  readonly audio: readonly SourceAudio[]
}

/** The tracks of the window that the clip's format can hold. */
export function chooseClipTracks(
  tracks: Tracks,
  { window, format, audioOnly }: Pick<ClipInput, 'format' | 'audioOnly'> & { readonly window: Segment },
): ClipTracks {
  const container = containers[format]
  const sounding = tracks.audio.filter(({ endSeconds }) => endSeconds > window.start)
  const single = sounding.find(({ isDefault }) => isDefault) ?? sounding[0]
  return {
    video: container.video && !audioOnly ? tracks.video : null,
    audio: container.manyAudioTracks ? sounding : sounding.filter((candidate) => candidate === single),
  }
}

export function emptyClipError({ audio }: Tracks, wantsVideo: boolean): ServiceError {
  if (audio.length === 0 && !wantsVideo) {
    return new ServiceError('no_audio_track', 'The media has no audio track, and this clip can hold only audio.')
  }
  return invalidRequest('The media has no picture and no sound in this window. Choose another window.')
}
