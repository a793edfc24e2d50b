import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import { nearestEven, type Picture, type Size } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import { toneMapFilters } from '../inspect/colour.ts'
import { seekBefore, seekOptions } from '../inspect/seek.ts'
import { sourceTracks, type Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { JobMedia } from '../source/media-source.ts'

export interface FrameSource {
  readonly tracks: Tracks
  readonly video: SourceVideo
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** The frames of a job's media. Throws `no_video_track` if it has no picture. */
export async function openFrames({
  media,
  ffmpeg,
  signal,
}: Pick<FrameSource, 'ffmpeg' | 'signal'> & { readonly media: JobMedia }): Promise<FrameSource> {
  const tracks = await sourceTracks(await media.open(), media.info.format, ffmpeg, signal)
  if (!tracks.video) throw new ServiceError('no_video_track')
  return { tracks, video: tracks.video, ffmpeg, signal }
}

export interface FrameSampling {
  /** On the clock where the media starts at 0. */
  readonly window: Segment
  /** Frames are at least this far apart; 0 for all. */
  readonly everySeconds: number
  /** Decodes only keyframes, which takes a fraction of the time. */
  readonly keyframesOnly?: boolean
  /** The window starts at a keyframe: nothing before it is decoded. */
  readonly isFromKeyframe?: boolean
  readonly maxFrames: number
  /** Pixels of each picture at most. Pictures keep their shape. */
  readonly maxPixels: number
  /** This function makes the folder; its owner deletes it. */
  readonly folder: string
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

/** A frame that was decoded to a file. */
export interface SampledFrame {
  /** Rounded to the millisecond. */
  readonly seconds: number
  readonly read: () => Promise<Picture>
}

/** Decodes some frames of a window, as they are shown and in order. Returns fewer where the media is damaged. */
export async function sampleFrames(source: FrameSource, sampling: FrameSampling): Promise<SampledFrame[]> {
  const { tracks, video, ffmpeg, signal } = source
  const {
    window,
    everySeconds,
    keyframesOnly = false,
    isFromKeyframe = false,
    maxFrames,
    folder,
    onProgress,
  } = sampling
  const size = sizeWithin(video.shown, sampling.maxPixels)
  await mkdir(folder, { recursive: true })
  const length = window.end - window.start
  const [first, last] = [window.start + tracks.originSeconds, window.end + tracks.originSeconds]
  const isWanted = `gte(t\\,${first.toFixed(4)})`
  const isNext = `isnan(prev_selected_t)+gte(t-prev_selected_t\\,${everySeconds.toFixed(4)})`
  await ffmpeg.run({
    input: tracks.input,
    signal,
    deadlineSeconds: deadlineFor(length, video),
    inputOptions: [
      ...seekOptions(seekBefore(window.start, isFromKeyframe ? -seekLeadSeconds : undefined)),
      ...(keyframesOnly ? keyframeOptions : optionsFor(everySeconds)),
    ],
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-frames:v', String(maxFrames)],
      '-filter:v',
      [
        ...[`trim=end=${last.toFixed(4)}`, `select='${isWanted}*(${isNext})'`],
        ...[`scale=${size.width}:${size.height}:flags=area`, ...toneMapFilters(video.colour), 'format=rgb24'],
      ].join(','),
      // Each picture becomes a file, named by its time in milliseconds on the container's clock.
      ...['-fps_mode', 'passthrough', '-enc_time_base', '1/1000', '-c:v', 'rawvideo'],
      ...['-f', 'image2', '-frame_pts', '1'],
    ],
    output: path.join(folder.replaceAll('%', '%%'), `%d${extension}`),
    pixels: video.width * video.height,
    ...(onProgress ? { onProgress: (at: number) => onProgress(Math.min(1, Math.max(0, (at - first) / length))) } : {}),
  })
  const names = await readdir(folder)
  return names
    .flatMap((name) => (name.endsWith(extension) ? [Number(name.slice(0, -extension.length))] : []))
    .toSorted((a, b) => a - b)
    .map((milliseconds) => ({
      seconds: Math.max(0, milliseconds / 1000 - tracks.originSeconds),
      read: async () => ({ ...size, rgb: await readFile(path.join(folder, `${milliseconds}${extension}`)) }),
    }))
}

/** Other packets are not even read where the container lists its keyframes. What the loop filter smooths is not seen in small pictures. */
const keyframeOptions = ['-discard', 'nokey', '-skip_frame', 'nokey', '-skip_loop_filter', 'all']

/** Frames that no other frame refers to are not missed among those at intervals. */
function optionsFor(everySeconds: number): string[] {
  return everySeconds > 0 ? ['-skip_frame', 'noref'] : []
}

const extension = '.rgb'
/** For containers that seek by decoding times, ffmpeg seeks 0.13 seconds earlier (ffmpeg_demux.c). */
export const seekLeadSeconds = 0.14

/** At this size blur shows, and noise is mostly averaged away: 480 × 270. */
export const measuredPixels = 480 * 270

/** How far back to look: for film, and for slides. */
const [frameSeconds, slideSeconds] = [0.15, 12]
/** Times are rounded to the millisecond. */
const roundingSeconds = 0.0008
/** Enough to find times; nobody looks at these pictures. */
const tinyPixels = 16 * 9
const maxTiny = 1_000

/** The frame that is shown at a moment, or the first one after it. Undefined if none can be decoded. */
export async function frameShownAt(
  source: FrameSource,
  seconds: number,
  folder: string,
): Promise<{ seconds: number; picture: Picture } | undefined> {
  const sample = (window: Segment, name: string, sampling: Pick<FrameSampling, 'maxFrames' | 'maxPixels'>) =>
    sampleFrames(source, { ...sampling, window, everySeconds: 0, folder: path.join(folder, name) })
  const before = (length: number) => ({ start: Math.max(0, seconds - length), end: seconds + roundingSeconds })
  const read = async (frame: SampledFrame) => ({ seconds: frame.seconds, picture: await frame.read() })

  const close = { maxFrames: maxTiny, maxPixels: measuredPixels }
  const shown = (await sample(before(frameSeconds), 'shown', close)).at(-1)
  if (shown) return read(shown)
  const slides = await sample(before(slideSeconds), 'slides', { maxFrames: maxTiny, maxPixels: tinyPixels })
  const after = { start: seconds, end: source.tracks.durationSeconds }
  const slide = slides.at(-1) ?? (await sample(after, 'after', { maxFrames: 1, maxPixels: tinyPixels })).at(-1)
  if (!slide) return undefined
  const around = { start: slide.seconds - roundingSeconds, end: slide.seconds + roundingSeconds }
  const found = (await sample(around, 'slide', { ...close, maxFrames: 1 })).at(-1)
  return found && read(found)
}

/** The size with the same shape and at most this many pixels. */
export function sizeWithin({ width, height }: Size, maxPixels: number): Size {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)))
  return { width: nearestEven(width * scale), height: nearestEven(height * scale) }
}

/** A slow core decodes 1080p twice as fast as it is shown, and many formats must be read whole. */
function deadlineFor(seconds: number, { width, height }: SourceVideo): number {
  return 120 + seconds * Math.max(1, (width * height) / 2e6)
}
