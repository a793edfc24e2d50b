import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import { nearestEven, type Picture, type Size } from '../../core/picture.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { seekBefore, seekOptions } from '../inspect/frame-window.ts'
import { fragmentOptions, fragmentReader, unreadableStream } from '../inspect/mp4-boxes.ts'
import { ExceededLimit, readPackets } from '../inspect/packets.ts'
import { sourceTracks, type Tracks } from '../inspect/tracks.ts'
import { type SourceVideo, toneMapFilters } from '../inspect/video-track.ts'
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

interface FrameSampling {
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
const seekLeadSeconds = 0.14

/** At this size blur shows, and noise is mostly averaged away: 480 × 270. */
export const measuredPixels = 480 * 270

/** How far back to look for a frame of film, and at least for a slide. */
const [frameSeconds, slideSeconds] = [0.15, 12]
/** Times are rounded to the millisecond, so that a frame can begin half of one before its time. */
export const frameRoundingSeconds = 0.0008
/** Enough to find times; nobody looks at these pictures. */
const tinyPixels = 16 * 9
const maxTiny = 1_000

/**
 * When the last frame begins at or before a moment, however long it is shown. Undefined if none does. Nothing is decoded, and what is read is
 * what `assertShortLeads` has counted.
 */
export async function lastBeginning(
  { tracks, video, ffmpeg, signal }: FrameSource,
  seconds: number,
): Promise<number | undefined> {
  const moment = seconds + tracks.originSeconds
  let last = Number.NEGATIVE_INFINITY
  await readPackets(
    { input: tracks.input, ffmpeg, signal, streamIndex: video.streamIndex, interval: { start: moment, end: moment } },
    ({ pts, isHidden }) => {
      if (!isHidden && pts <= moment + frameRoundingSeconds) last = Math.max(last, pts)
    },
  )
  return last === Number.NEGATIVE_INFINITY ? undefined : last - tracks.originSeconds
}

/** The frame that is shown at a moment, or the first one after it. Undefined if none can be decoded. */
export async function frameShownAt(
  source: FrameSource,
  seconds: number,
  folder: string,
): Promise<{ seconds: number; picture: Picture } | undefined> {
  const sample = (window: Segment, name: string, sampling: Pick<FrameSampling, 'maxFrames' | 'maxPixels'>) =>
    sampleFrames(source, { ...sampling, window, everySeconds: 0, folder: path.join(folder, name) })
  const before = (length: number) => ({ start: Math.max(0, seconds - length), end: seconds + frameRoundingSeconds })
  const read = async (frame: SampledFrame) => ({ seconds: frame.seconds, picture: await frame.read() })

  const close = { maxFrames: maxTiny, maxPixels: measuredPixels }
  const shown = (await sample(before(frameSeconds), 'shown', close)).at(-1)
  if (shown) return read(shown)
  const held = seconds - ((await lastBeginning(source, seconds)) ?? seconds)
  const slides = await sample(before(Math.max(slideSeconds, held + frameSeconds)), 'slides', {
    ...{ maxFrames: maxTiny, maxPixels: tinyPixels },
  })
  const after = { start: seconds, end: source.tracks.durationSeconds }
  const slide = slides.at(-1) ?? (await sample(after, 'after', { maxFrames: 1, maxPixels: tinyPixels })).at(-1)
  if (!slide) return undefined
  const around = { start: slide.seconds - frameRoundingSeconds, end: slide.seconds + frameRoundingSeconds }
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

/** How long a model may take to look at a window: a slow core decodes a few large pictures a second, and decoding waits for the model. */
export function lookingDeadline(window: Segment): number {
  return 120 + 15 * durationOf(window)
}

/** Output options for pictures in fragments of QuickTime, one each, with times in milliseconds. Rows must have a whole number of 16-bit words. */
export const timedFrameOptions: readonly string[] = [
  ...fragmentOptions('frag_every_frame'),
  ...['-video_track_timescale', '1000'],
]

interface TimedFrame {
  /** On the clock of the stream. */
  readonly seconds: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Parses a stream that was made with these options, in chunks of any length. Returns the pictures that each chunk completes. Throws
 * `processing_failed` if the stream has anything but whole pictures of one track.
 */
export function frameParser(frameBytes: number): (chunk: Buffer) => TimedFrame[] {
  let pixels = new Uint8Array(0)
  let frames: TimedFrame[] = []
  const read = fragmentReader((bytes, { time, at, bytesOfFragment }) => {
    if (bytesOfFragment !== frameBytes) throw unreadableStream(`a picture of ${bytesOfFragment} bytes`)
    if (at === 0) pixels = new Uint8Array(frameBytes)
    pixels.set(bytes, at)
    if (at + bytes.length === frameBytes) frames.push({ seconds: time / 1000, bytes: pixels })
  })
  return (chunk) => {
    frames = []
    read(chunk)
    return frames
  }
}

// Decoding starts at a keyframe. In a film of one keyframe an hour, a frame at its end takes the decoding of an hour.

/**
 * The pixels that a job may decode in front of its frames, and those for each. Measured: a core decodes 0.2 to 0.35 · 10⁹ pixels a second. A
 * film of 3840 × 2160 at 30 frames a second with a keyframe every ten seconds takes the second number on average, because each frame
 * is decoded again for its file.
 */
const [freePixels, pixelsPerFrame] = [30e9, 2.5e9]
/** Smaller pictures take about as long. */
const leastPixels = 640 * 360
/** As for clips, the media that is billed may be decoded this many times. */
const maxFactor = 4
const usualFrameRate = 30

interface Leads {
  /** On the clock where the media starts at 0. */
  readonly moments: readonly number[]
  /** How often each is decoded. */
  readonly times?: number
  /** The length of the media that is billed. */
  readonly billedSeconds?: number
}

/** Throws `processing_failed` if too much has to be decoded from the keyframes before these moments. Nothing is decoded for that. */
export async function assertShortLeads(
  { tracks, video, ffmpeg, signal }: FrameSource,
  { moments, times = 1, billedSeconds = 0 }: Leads,
): Promise<void> {
  if (moments.length === 0) return
  const pixels = Math.max(leastPixels, video.width * video.height)
  const maxPixels = freePixels + moments.length * pixelsPerFrame + maxFactor * billedSeconds * usualFrameRate * pixels
  const seeks = moments.map((moment) => moment + tracks.originSeconds - seekLeadSeconds).toSorted((a, b) => a - b)
  await readPackets(
    {
      ...{ input: tracks.input, ffmpeg, signal, streamIndex: video.streamIndex },
      intervals: seeks.map((seek) => ({ start: seek, end: seek })),
      maxPackets: Math.floor(maxPixels / pixels / times),
      tooMany: () => new ExceededLimit(tooFar),
    },
    () => {},
  )
}

const tooFar =
  'The frames come so long after the keyframes from which they have to be decoded that this would take too long. Choose fewer frames, or ones nearer to the start of the media, or convert it to have a keyframe every few seconds.'
