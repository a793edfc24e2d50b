import path from 'node:path'
import { mapOrAbort } from '../../core/abortable.ts'
import type { FfmpegInput } from '../../core/ffmpeg.ts'
import { encodingDeadline, pixelsOf } from '../clip/encode-limits.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import { readTracks, type SourceVideo } from '../inspect/tracks.ts'
import type { Piece } from '../pieces/obtain-piece.ts'
import { type CodedPacket, readCodedPackets } from './coded-packets.ts'
import { refuseUnless } from './copy-refusal.ts'
import { type FrameHash, listFrameHashes } from './frame-hashes.ts'
import type { ModeInput } from './make-clip.ts'
import { framesAtJoints, groupsAtJoints, type PlannedFrame, plannedFrames, rangesOf } from './smart-checks.ts'
import type { SmartPlan } from './smart-plan.ts'

/** MP4 rounds the start of a track to this. */
const startToleranceSeconds = 0.001

/**
 * Compares the finished clip with the source: the times of all frames, the bytes of copied packets, and the decoded frames of the
 * groups of pictures beside each joint. Throws `CopyRefusal` if any differ.
 */
export async function verifySmart(input: ModeInput, plan: SmartPlan, pieces: readonly Piece[]): Promise<void> {
  const { outputPath, format, ffmpeg, signal } = input
  const clip: FfmpegInput = { path: outputPath, format }
  const { video } = await readTracks(clip, ffmpeg, signal)
  refuseUnless(video !== null, 'the joined clip has no picture')
  refuseUnless(video.displayMatrix === plan.video.displayMatrix, 'the turn of the picture could not be kept')
  const packets = await readCodedPackets({ input: clip, ffmpeg, signal, streamIndex: video.streamIndex })
  verifyTimes(plan, packets, ratio(video.timeBase))
  verifyCopiedPackets(plan, packets)
  await verifyJoints(input, plan, { clip, video, pieces })
}

function verifyTimes(plan: SmartPlan, packets: readonly CodedPacket[], secondsPerTick: number): void {
  const planned = plannedFrames(plan)
  refuseUnless(packets.length === planned.length, 'the joined clip had other frames than planned')
  const times = packets.map(({ pts }) => pts * secondsPerTick).toSorted((a, b) => a - b)
  const shift = (times[0] ?? 0) - (planned[0]?.atSeconds ?? 0)
  const tolerance = Math.max(secondsPerTick, plan.clock.secondsPerTick / 2)
  const isAsPlanned = times.every((at, index) => Math.abs(at - shift - (planned[index]?.atSeconds ?? 0)) <= tolerance)
  refuseUnless(
    isAsPlanned && Math.abs(shift) <= startToleranceSeconds,
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

interface CheckedClip {
  readonly clip: FfmpegInput
  readonly video: SourceVideo
  readonly pieces: readonly Piece[]
}

/** Two decode simultaneously, each on one core. */
const concurrency = 2

async function verifyJoints(input: ModeInput, plan: SmartPlan, { clip, video, pieces }: CheckedClip): Promise<void> {
  const { tracks, outputPath, signal } = input
  const { clock } = plan
  const expected = await mapOrAbort(signal, { items: plan.pieces, concurrency }, async (piece, index, either) => {
    const asked = { ...input, signal: either, video: plan.video }
    if ('copied' in piece) {
      const groups = groupsAtJoints(plan, index)
      const decoded = []
      for (const { fromTick, toTick } of groups) {
        const toSeconds = (tick: number) => tick * clock.secondsPerTick - clock.originSeconds
        const span = { start: toSeconds(fromTick), end: toSeconds(toTick) }
        decoded.push(...(await decodeFrames({ ...asked, media: tracks.input }, span, [fromTick, toTick])))
      }
      return decoded
    }
    const { fileName, seconds } = pieces[index] ?? { fileName: '', seconds: 0 }
    const file: FfmpegInput = { path: path.join(path.dirname(outputPath), fileName), format: 'mp4' }
    return decodeFrames({ ...asked, media: file }, { start: 0, end: seconds })
  })
  const runs = framesAtJoints(plan)
  await mapOrAbort(signal, { items: runs, concurrency }, async (run, _index, either) => {
    const span = { start: run[0]?.atSeconds ?? 0, end: run.at(-1)?.atSeconds ?? 0 }
    const tick = ratio(video.timeBase)
    const bounds: [number, number] = [
      Math.round(span.start / tick) - Math.ceil(startToleranceSeconds / tick),
      Math.round(span.end / tick) + Math.ceil(startToleranceSeconds / tick) + 1,
    ]
    const decoded = await decodeFrames({ ...input, signal: either, video, media: clip }, span, bounds)
    const wanted = hashesOf(plan, run, expected)
    const isSame = decoded.length === wanted.length && decoded.every(({ hash }, index) => hash === wanted[index])
    refuseUnless(isSame, 'frames beside a joint decoded to other pictures than in the source')
  })
}

/** Those of copied pieces by the time in the source, those of encoded pieces in the order of their frames. */
function hashesOf(
  { pieces }: SmartPlan,
  run: readonly PlannedFrame[],
  expected: readonly (readonly FrameHash[])[],
): (string | undefined)[] {
  const byTick = new Map<number, Map<number, string>>()
  const next = new Map<number, number>()
  return run.map(({ pieceIndex, sourceTick }) => {
    const hashes = expected[pieceIndex] ?? []
    const piece = pieces[pieceIndex]
    if (piece && 'copied' in piece) {
      const known = byTick.get(pieceIndex) ?? new Map(hashes.map(({ pts, hash }) => [pts, hash]))
      byTick.set(pieceIndex, known)
      return known.get(sourceTick)
    }
    const at = next.get(pieceIndex) ?? 0
    next.set(pieceIndex, at + 1)
    return hashes[at]?.hash
  })
}

interface Decoded extends Pick<ModeInput, 'ffmpeg' | 'signal'> {
  readonly media: FfmpegInput
  readonly video: SourceVideo
}

/** Decodes from the keyframe at or before the span. `bounds` are its first tick and the one after its last. */
async function decodeFrames(
  { media, video, ffmpeg, signal }: Decoded,
  { start, end }: { readonly start: number; readonly end: number },
  bounds?: readonly [number, number],
): Promise<readonly FrameHash[]> {
  const only = bounds ? ['-filter:v', `settb=${video.timeBase},trim=start_pts=${bounds[0]}:end_pts=${bounds[1]}`] : []
  const { frames, decodeErrors } = await listFrameHashes(ffmpeg, {
    ...{ input: media, signal, pixels: pixelsOf(video) },
    deadlineSeconds: encodingDeadline(end - start, video),
    inputOptions: [
      ...['-threads', '1', '-copyts', '-noautorotate', '-noaccurate_seek'],
      ...(start > 0 ? ['-ss', (start + frameToleranceSeconds).toFixed(6)] : []),
    ],
    outputOptions: ['-map', '0:v:0', ...only, '-fps_mode', 'passthrough', '-enc_time_base', video.timeBase],
  })
  refuseUnless(decodeErrors === 0, 'frames beside a joint could not be decoded')
  return frames
}
