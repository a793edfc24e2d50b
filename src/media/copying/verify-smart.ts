import { mapOrAbort, runAllOrAbort } from '../../core/abortable.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { readTracks } from '../inspect/tracks.ts'
import { type CodedPacket, readCodedPackets } from './coded-packets.ts'
import { type CheckedClip, showsSameFrames, startToleranceTicks } from './compare-frames.ts'
import { refuseUnless } from './copy-refusal.ts'
import type { ModeInput } from './make-clip.ts'
import { framesAtJoints, plannedFrames, rangesOf } from './smart-checks.ts'
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
    verifyTimes(plan, packets, ratio(video.timeBase))
    verifyCopiedPackets(plan, packets)
  }
  await runAllOrAbort(signal, [
    verifyPackets,
    (either) => verifyJoints({ ...input, signal: either }, plan, { clip, video }),
  ])
}

function verifyTimes(plan: SmartPlan, packets: readonly CodedPacket[], secondsPerTick: number): void {
  const planned = plannedFrames(plan)
  refuseUnless(packets.length === planned.length, 'the joined clip had other frames than planned')
  const times = packets.map(({ pts }) => pts * secondsPerTick).toSorted((a, b) => a - b)
  const shift = (times[0] ?? 0) - (planned[0]?.atSeconds ?? 0)
  const tolerance = Math.max(secondsPerTick, plan.clock.secondsPerTick / 2)
  const isAsPlanned = times.every((at, index) => Math.abs(at - shift - (planned[index]?.atSeconds ?? 0)) <= tolerance)
  refuseUnless(
    isAsPlanned && Math.abs(shift) <= startToleranceTicks(secondsPerTick) * secondsPerTick,
    'the joined clip showed frames at other times than planned',
  )
}

/** Packets are counted in decoding order. */
function verifyCopiedPackets({ pieces, packets: source }: SmartPlan, packets: readonly CodedPacket[]): void {
  let at = 0
  for (const piece of pieces) {
    const frames = rangesOf(piece).reduce((sum, range) => sum + range.frames, 0)
    const made = packets.slice(at, at + frames)
    at += frames
    if (!('copied' in piece)) continue
    const { fromTick, toTick } = piece.copied
    const expected = source.filter(({ pts }) => pts >= fromTick && pts < toTick)
    const isSame =
      expected.length === made.length && expected.every(({ checksum }, index) => checksum === made[index]?.checksum)
    refuseUnless(isSame, 'the copied packets differed from the source')
  }
}

/** Two decode simultaneously. */
const concurrency = 2

async function verifyJoints(input: ModeInput, plan: SmartPlan, clip: CheckedClip): Promise<void> {
  await mapOrAbort(input.signal, { items: framesAtJoints(plan), concurrency }, async (run, _index, signal) => {
    const isSame = await showsSameFrames({ ...input, signal }, plan, clip, run)
    refuseUnless(isSame, 'frames beside a joint decoded to other pictures than in the source')
  })
}
