import type { FfmpegInput, MoreInput } from '../../core/ffmpeg.ts'
import { encodingDeadline, pixelsOf } from '../clip/encode-limits.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import { outputLines } from '../inspect/output-lines.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import type { CheckedFrames, TickSpan } from './smart-checks.ts'
import type { SmartPlan } from './smart-plan.ts'

/** MP4 stores the start of a track in whole milliseconds, rounded down, and readers round it to a tick. */
export function startToleranceTicks(secondsPerTick: number): number {
  return Math.ceil(0.001 / secondsPerTick) + 1
}

/** A finished clip and its picture. */
export interface CheckedClip {
  readonly clip: FfmpegInput
  readonly video: SourceVideo
}

/**
 * Decodes a run of frames of the clip without a break, and the groups of pictures of the source that were copied into it. Returns
 * whether all copied frames are equal to the source's bit by bit, in the same order. Throws `CopyRefusal` if a frame cannot be decoded.
 */
export async function showsSameFrames(
  { tracks, ffmpeg, signal }: Pick<ModeInput, 'tracks' | 'ffmpeg' | 'signal'>,
  { clock, video: source }: Pick<SmartPlan, 'clock' | 'video'>,
  { clip, video }: CheckedClip,
  run: readonly CheckedFrames[],
): Promise<boolean> {
  const shownFrames = run.filter(({ count }) => count > 0)
  const tick = ratio(video.timeBase)
  const [start, end] = [shownFrames[0]?.firstSeconds ?? 0, shownFrames.at(-1)?.lastSeconds ?? 0]
  const tolerance = startToleranceTicks(tick)
  const shown = { fromTick: Math.round(start / tick) - tolerance, toTick: Math.round(end / tick) + tolerance + 1 }
  const groups = run.flatMap((checked) => (checked.source ? [checked.source] : []))
  const copied = copiedPlaces(run)
  const isCopied = copied.map(({ from, to }) => `between(n,${from},${to - 1})`).join('+')
  const moreInputs = groups.map(({ fromTick }): MoreInput => {
    const startSeconds = fromTick * clock.secondsPerTick - clock.originSeconds
    return { ...tracks.input, inputOptions: decodingFrom(startSeconds) }
  })
  const graph = [
    `[0:v:0]${framesOf(video, shown)},select='${isCopied}',${countFrames}[shown]`,
    ...groups.map(
      (group, index) => `[${index + 1}:${source.streamIndex}]${framesOf(source, group)},setsar=1[made${index}]`,
    ),
    `${groups.map((_, index) => `[made${index}]`).join('')}concat=n=${groups.length},${countFrames}[made]`,
    '[shown][made]psnr=stats_file=-[compared]',
  ]
  let [equal, different] = [0, 0]
  const { decodeErrors } = await ffmpeg.run({
    ...{ input: clip, inputOptions: decodingFrom(start), moreInputs, signal, pixels: pixelsOf(video) },
    deadlineSeconds: 2 * encodingDeadline(end - start, video),
    outputOptions: [
      ...['-filter_complex_threads', '1', '-filter_complex', graph.join(';')],
      ...['-map', '[compared]', '-f', 'null'],
    ],
    output: outputLines((line) => {
      if (!line.startsWith('n:')) return
      if (line.includes(equalFrame)) equal += 1
      else different += 1
    }),
  })
  refuseUnless(decodeErrors === 0, 'frames beside a joint could not be decoded')
  const framesCopied = copied.reduce((sum, { from, to }) => sum + to - from, 0)
  return equal === framesCopied && different === 0
}

/** Which frames of the run are copied, counted from its first. */
function copiedPlaces(run: readonly CheckedFrames[]) {
  let at = 0
  return run.flatMap(({ source, count }) => {
    const from = at
    at += count
    return source ? [{ from, to: at }] : []
  })
}

/** The ratio of signal to noise is infinite only without any difference. */
const equalFrame = ' psnr_avg:inf '

/** Frames are compared in their order. */
const countFrames = 'settb=AVTB,setpts=N'

function framesOf({ timeBase }: SourceVideo, { fromTick, toTick }: TickSpan): string {
  return `settb=${timeBase},trim=start_pts=${fromTick}:end_pts=${toTick},${countFrames}`
}

/**
 * Decodes from the keyframe at or before this time, on one core. Deblocking is left out on both sides, because it takes a third of the
 * time: frames that are equal before it are equal after it, as its settings are in their packets (ITU-T H.264, 7.3.3), which are equal.
 */
function decodingFrom(startSeconds: number): string[] {
  const seek = startSeconds > 0 ? ['-ss', (startSeconds + frameToleranceSeconds).toFixed(6)] : []
  const decoder = ['-threads', '1', '-skip_loop_filter', 'all']
  return [...decoder, '-copyts', '-noautorotate', '-noaccurate_seek', ...seek]
}
