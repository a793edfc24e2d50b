import type { ClipInput } from '../clip/clip-tracks.ts'
import { pieceMuxer } from '../clip/join-arguments.ts'
import { nothingKept } from '../clip/kept-picture.ts'
import type { TickClock } from '../clip/snap-ranges.ts'
import type { Tracks } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { type Piece, pieceName } from '../pieces/obtain-piece.ts'
import type { CopySpan } from './copy-bounds.ts'
import type { SmartCodec } from './smart-codecs.ts'
import type { CopiedStretch } from './stretches.ts'

/** How much earlier than its first packet a copy starts to read. The seek then ends at a keyframe before that packet, or at it. */
const leadSeconds = 0.05
/** Reading stops this long after the last packet, by decoding times, which come before presentation times. */
const trailSeconds = 1

/** Seconds that copying may take, for reading and writing at a slow disk's speed. */
export function copyingDeadline(seconds: number): number {
  return 120 + seconds
}

/** Where to read for packets with these presentation times. A seek would skip the sound from before a picture that starts late. */
export function readingOptions(
  { originSeconds, secondsPerTick }: TickClock,
  { fromTick, toTick, startsLate }: Pick<CopySpan, 'fromTick' | 'toTick' | 'startsLate'>,
): string[] {
  const start = startsLate ? 0 : Math.max(0, fromTick * secondsPerTick - originSeconds - leadSeconds)
  const length = toTick * secondsPerTick - originSeconds - start + trailSeconds
  const seek = startsLate ? [] : ['-ss', start.toFixed(6)]
  return ['-copyts', '-noaccurate_seek', ...seek, '-t', length.toFixed(6)]
}

/** Drops all packets but those with these presentation times. */
export function onlyPackets({ fromTick, toTick }: Pick<CopiedStretch, 'fromTick' | 'toTick'>): string {
  return `noise=drop='lt(pts,${fromTick})+gte(pts,${toTick})'`
}

/** What copied stretches share. */
export interface Copying {
  readonly video: SourceVideo
  readonly codec: Pick<SmartCodec, 'muxer'>
  readonly clock: TickClock
  readonly delayTicks: number
}

/** Copies the packets of a stretch into an MP4 without audio, in which the stretch starts at 0. */
export function copiedPiece(
  { tracks, ffmpeg }: Pick<ClipInput, 'ffmpeg'> & { readonly tracks: Tracks },
  { video, codec, clock, delayTicks }: Copying,
  stretch: CopiedStretch,
): Piece {
  const { startTick, endTick } = stretch.range
  // Without the leading pictures between it and the next, the first packet is decoded later, after all encoded frames before it.
  const dts = `if(eq(PTS,${stretch.fromTick}),max(DTS,PTS-${delayTicks}),DTS)-${startTick}`
  const seconds = (endTick - startTick) * clock.secondsPerTick
  const outputOptions = [
    ...['-map', `0:${video.streamIndex}`, '-c', 'copy'],
    ...['-bsf:v', `${onlyPackets(stretch)},setts=pts='max(0,PTS-${startTick})':dts='${dts}'`],
    ...[...codec.muxer, ...pieceMuxer(video, nothingKept)],
  ]
  const decidedBy = [tracks.originSeconds, tracks.durationSeconds, outputOptions]
  return {
    fileName: pieceName('video', decidedBy, 'mp4'),
    seconds,
    make: async (output, signal, onProgress) => {
      await ffmpeg.run({
        ...{ input: tracks.input, signal, deadlineSeconds: copyingDeadline(seconds), output },
        cores: 1,
        inputOptions: readingOptions(clock, stretch),
        outputOptions,
      })
      onProgress(seconds)
      return 0
    },
  }
}
