import { ServiceError } from '../../core/errors.ts'
import { type Segment, totalDuration } from '../../core/segments.ts'
import type { Clip, ClipReceipt, CutMode } from '../clip/clip-receipt.ts'
import { cutClip } from '../clip/cut.ts'
import { joinRanges } from '../clip/join.ts'
import type { PiecesInput } from '../clip/video-pieces.ts'
import { ExceededLimit } from '../inspect/packets.ts'
import { copyClip } from './copy.ts'
import { type CopyBudget, longestLeadSeconds, withinBudget } from './copy-bounds.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import { smartClip } from './smart.ts'

export type ModeInput = PiecesInput & {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** Shared by all clips of a job. */
  readonly copyBudget: CopyBudget
}

/** Makes a clip of one or several ranges. If the mode cannot keep its promise for this media, the clip is exact, and its receipt says why. */
export async function makeClip(mode: CutMode, input: ModeInput): Promise<Clip> {
  if (mode === 'exact') return exactClip(input)
  try {
    const clip = await withinBudget(input.copyBudget, input.outputPath, () =>
      mode === 'smart' ? smartClip(input) : copyClip(input),
    )
    refuseOtherLength(clip.receipt, input)
    return clip
  } catch (error) {
    const fallbackReason = reasonOf(error, input.signal)
    if (fallbackReason === undefined) throw error
    const clip = await exactClip(input)
    return { ...clip, receipt: { ...clip.receipt, fallbackReason } }
  }
}

/** Throws `CopyRefusal` if the clip ends elsewhere than planned: packets can last longer than their times tell, or not have any where one is asked for. */
function refuseOtherLength({ mode, requested, presented }: ClipReceipt, { ranges, tracks }: ModeInput): void {
  const lead = mode === 'smart' ? 0 : longestLeadSeconds(totalDuration(ranges))
  const isShort = presented.end < Math.min(requested.end, tracks.durationSeconds) - maxOffSeconds
  const isLong = presented.end > requested.end + lead + maxOffSeconds
  refuseUnless(!isShort && !isLong, 'the copied packets lasted for another time than planned')
}

/** Sound ends with its packets, which last for up to 0.12 s. */
const maxOffSeconds = 0.25

function exactClip(input: ModeInput): Promise<Clip> {
  const { ranges } = input
  const [window = { start: 0, end: 0 }, second] = ranges
  return second ? joinRanges(input) : cutClip({ ...input, window })
}

/** Undefined for errors that an exact clip would meet too. */
function reasonOf(error: unknown, signal: AbortSignal): string | undefined {
  if (signal.aborted || error instanceof ExceededLimit) return undefined
  if (error instanceof CopyRefusal) return error.message
  return error instanceof ServiceError && error.code === 'processing_failed'
    ? 'the packets could not be copied'
    : undefined
}
