import { mapOrAbort, runAllOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg, FfmpegInput, FfmpegRun, MoreInput } from '../../core/ffmpeg.ts'
import { lowerBound, makeNumbers, sortNumbers } from '../../core/many-numbers.ts'
import { frameToleranceSeconds } from '../../core/snap-ranges.ts'
import { startTurns } from '../../core/turns.ts'
import { encodingDeadline, pixelsOf } from '../clip/encode-limits.ts'
import { outputLines } from '../inspect/probe-json.ts'
import { readTracks } from '../inspect/tracks.ts'
import { ratio, type SourceVideo } from '../inspect/video-track.ts'
import { type CodedPackets, readCodedPackets } from './coded-packets.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import { type CheckedFrames, framesAtJoints, plannedTimes, rangesOf, type TickSpan } from './smart-codecs.ts'
import type { SmartPlan } from './smart-plan.ts'

/**
 * Compares the finished clip with the source: the times of all frames, the bytes of copied packets, and the decoded frames of the
 * groups of pictures beside each joint, between which encoded frames must decode. Throws `CopyRefusal` if any differ.
 */
export async function verifySmart(input: ModeInput, plan: SmartPlan): Promise<void> {
  const { outputPath, format, ffmpeg, signal } = input
  const clip: FfmpegInput = { path: outputPath, format }
  const { video } = await readTracks(clip, ffmpeg, signal)
  refuseUnless(video !== null, 'the joined clip has no picture')
  refuseUnless(video.displayMatrix === plan.video.displayMatrix, 'the turn of the picture could not be kept')
  const verifyPackets = async (either: AbortSignal) => {
    const packets = await readCodedPackets({ input: clip, ffmpeg, signal: either, streamIndex: video.streamIndex })
    await verifyTimes(plan, packets, ratio(video.timeBase))
    await verifyCopiedPackets(plan, packets)
  }
  await runAllOrAbort(signal, [
    verifyPackets,
    (either) => verifyJoints({ ...input, signal: either }, plan, { clip, video }),
  ])
}

async function verifyTimes(plan: SmartPlan, { pts }: CodedPackets, secondsPerTick: number): Promise<void> {
  const times = await sortNumbers(await makeNumbers(pts.length, (index) => (pts[index] ?? 0) * secondsPerTick))
  const turns = startTurns()
  const tolerance = Math.max(secondsPerTick, plan.clock.secondsPerTick / 2)
  let [frames, shift, mostApart] = [0, 0, 0]
  for (const planned of plannedTimes(plan)) {
    if (turns.isDue()) await turns.next()
    const at = times[frames] ?? 0
    if (frames === 0) shift = at - planned
    mostApart = Math.max(mostApart, Math.abs(at - shift - planned))
    frames += 1
  }
  refuseUnless(frames === times.length, 'the joined clip had other frames than planned')
  refuseUnless(
    mostApart <= tolerance && Math.abs(shift) <= startToleranceTicks(secondsPerTick) * secondsPerTick,
    'the joined clip showed frames at other times than planned',
  )
}

/** Packets are counted in decoding order. */
async function verifyCopiedPackets({ pieces, packets: source }: SmartPlan, { checksums }: CodedPackets): Promise<void> {
  let at = 0
  const copied = pieces.flatMap((piece) => {
    const from = at
    at += rangesOf(piece).reduce((sum, range) => sum + range.frames, 0)
    return 'copied' in piece ? [{ ...piece.copied, next: from, end: at }] : []
  })
  const turns = startTurns()
  for (const [index, tick] of source.pts.entries()) {
    if (turns.isDue()) await turns.next()
    const stretch = copied[lowerBound(copied, ({ toTick }) => toTick <= tick)]
    if (!stretch || tick < stretch.fromTick) continue
    refuseUnless(source.checksums[index] === checksums[stretch.next], different)
    stretch.next += 1
  }
  for (const { next, end } of copied) refuseUnless(next === end, different)
}

const different = 'the copied packets differed from the source'

/** Two decode simultaneously. */
const concurrency = 2

async function verifyJoints(input: ModeInput, plan: SmartPlan, clip: CheckedClip): Promise<void> {
  await mapOrAbort(input.signal, { items: framesAtJoints(plan), concurrency }, async (run, _index, signal) => {
    const isSame = await showsSameFrames({ ...input, signal }, plan, clip, run)
    refuseUnless(isSame, 'frames beside a joint decoded to other pictures than in the source')
  })
}

/** MP4 stores the start of a track in whole milliseconds, rounded down, and readers round it to a tick. */
function startToleranceTicks(secondsPerTick: number): number {
  return Math.ceil(0.001 / secondsPerTick) + 1
}

/** A finished clip and its picture. */
interface CheckedClip {
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

/** A frame or a packet as ffmpeg's framehash muxer lists it. */
interface FrameHash {
  /** In ticks of the stream. */
  readonly pts: number
  readonly hash: string
}

/** The lines of the framehash muxer: `stream, dts, pts, duration, size, hash`. */
const hashLine = /^\s*\d+,\s*-?\d+,\s*(-?\d+),\s*\d+,\s*\d+,\s*([0-9a-f]+)/

/** Runs ffmpeg, and passes on what its framehash muxer lists, one by one. Returns the number of decoding errors. */
export async function readFrameHashes(
  ffmpeg: Ffmpeg,
  { outputOptions, ...run }: Omit<FfmpegRun, 'output'>,
  onFrame: (frame: FrameHash) => void,
): Promise<number> {
  const { decodeErrors } = await ffmpeg.run({
    ...run,
    outputOptions: [...outputOptions, '-f', 'framehash', '-hash', 'murmur3'],
    output: outputLines((line) => {
      const [, pts, hash] = hashLine.exec(line) ?? []
      if (pts !== undefined && hash !== undefined) onFrame({ pts: Number(pts), hash })
    }),
  })
  return decodeErrors
}
