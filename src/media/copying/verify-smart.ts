import { mapOrAbort, runAllOrAbort } from '../../core/abortable.ts'
import { lowerBound } from '../../core/binary-search.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import { makeNumbers, sortNumbers } from '../../core/many-numbers.ts'
import { startTurns } from '../../core/turns.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { readTracks } from '../inspect/tracks.ts'
import { type CodedPackets, readCodedPackets } from './coded-packets.ts'
import { type CheckedClip, showsSameFrames, startToleranceTicks } from './compare-frames.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import { framesAtJoints, plannedTimes, rangesOf } from './smart-checks.ts'
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
