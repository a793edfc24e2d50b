import path from 'node:path'
import type { FfmpegInput, MoreInput } from '../../core/ffmpeg.ts'
import { encodingDeadline, pixelsOf } from '../clip/encode-limits.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import type { SourceVideo } from '../inspect/tracks.ts'
import type { Piece } from '../pieces/obtain-piece.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import type { CheckedFrames, TickSpan } from './smart-checks.ts'
import type { SmartPlan } from './smart-plan.ts'

/** MP4 stores the start of a track in whole milliseconds, rounded down, and readers round it to a tick. */
export function startToleranceTicks(secondsPerTick: number): number {
  return Math.ceil(0.001 / secondsPerTick) + 1
}

/** A finished clip, and the pieces it was joined from. */
export interface CheckedClip {
  readonly clip: FfmpegInput
  readonly video: SourceVideo
  readonly pieces: readonly Piece[]
}

/**
 * Decodes a run of frames of the clip without a break, and what it was made of: groups of pictures from the source, encoded pieces
 * from their files. Returns whether all frames are equal bit by bit, in the same order.
 */
export async function showsSameFrames(
  { tracks, outputPath, ffmpeg, signal }: Pick<ModeInput, 'tracks' | 'outputPath' | 'ffmpeg' | 'signal'>,
  { clock, video: source }: Pick<SmartPlan, 'clock' | 'video'>,
  { clip, video, pieces }: CheckedClip,
  run: readonly CheckedFrames[],
): Promise<boolean> {
  const frames = run.flatMap((checked) => checked.frames)
  const tick = ratio(video.timeBase)
  const [start, end] = [frames[0]?.atSeconds ?? 0, frames.at(-1)?.atSeconds ?? 0]
  const tolerance = startToleranceTicks(tick)
  const shown = { fromTick: Math.round(start / tick) - tolerance, toTick: Math.round(end / tick) + tolerance + 1 }
  const made = run.map(({ pieceIndex, source: group }): MoreInput => {
    if (group) {
      const startSeconds = group.fromTick * clock.secondsPerTick - clock.originSeconds
      return { ...tracks.input, inputOptions: decodingFrom(startSeconds) }
    }
    const file = path.join(path.dirname(outputPath), pieces[pieceIndex]?.fileName ?? '')
    return { path: file, format: 'mp4', inputOptions: decodingFrom(0) }
  })
  const graph = [
    `[0:v:0]${framesOf(video, shown)}[shown]`,
    ...run.map(({ source: group }, index) =>
      group
        ? `[${index + 1}:${source.streamIndex}]${framesOf(source, group)},setsar=1[made${index}]`
        : `[${index + 1}:v:0]${countFrames},setsar=1[made${index}]`,
    ),
    `${run.map((_, index) => `[made${index}]`).join('')}concat=n=${run.length},${countFrames}[made]`,
    '[shown][made]psnr=shortest=1:stats_file=-[compared]',
  ]
  let report = ''
  const { decodeErrors } = await ffmpeg.run({
    ...{ input: clip, inputOptions: decodingFrom(start), moreInputs: made, signal, pixels: pixelsOf(video) },
    deadlineSeconds: 2 * encodingDeadline(end - start, video),
    outputOptions: [
      ...['-filter_complex_threads', '1', '-filter_complex', graph.join(';')],
      ...['-map', '[compared]', '-f', 'null'],
    ],
    output: (chunk) => {
      report += chunk.toString('latin1')
    },
  })
  refuseUnless(decodeErrors === 0, 'frames beside a joint could not be decoded')
  const compared = report.split('\n').filter((line) => line.startsWith('n:'))
  return compared.length === frames.length && compared.every((line) => line.includes(equalFrame))
}

/** The ratio of signal to noise is infinite only without any difference. */
const equalFrame = ' psnr_avg:inf '

/** Frames are compared in their order. */
const countFrames = 'settb=AVTB,setpts=N'

function framesOf({ timeBase }: SourceVideo, { fromTick, toTick }: TickSpan): string {
  return `settb=${timeBase},trim=start_pts=${fromTick}:end_pts=${toTick},${countFrames}`
}

/** Decodes from the keyframe at or before this time, on one core. */
function decodingFrom(startSeconds: number): string[] {
  const seek = startSeconds > 0 ? ['-ss', (startSeconds + frameToleranceSeconds).toFixed(6)] : []
  return ['-threads', '1', '-copyts', '-noautorotate', '-noaccurate_seek', ...seek]
}
