import { stat } from 'node:fs/promises'
import { createColumn, lowerBound } from '../../core/many-numbers.ts'
import { startTurns } from '../../core/turns.ts'
import { type CodedPackets, splitsOf } from './coded-packets.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import type { TickSpan } from './smart-codecs.ts'

/** A stretch of packets to copy, with the bounds of the requested ranges in it. */
export interface CopySpan extends TickSpan {
  readonly requested: TickSpan
  /** Whether the picture starts after the span, which has sound alone until then. */
  readonly startsLate?: boolean | undefined
  readonly last?: LastPackets | undefined
}

/** The packets that are shown last and decoded last. The picture lasts until the span's end if packets follow, and otherwise at most until then. */
interface LastPackets {
  readonly shownTick: number
  readonly decodedTick: number
  readonly isFollowed: boolean
}

/** Where copies can start and end among packets. All lists ascend, and those of splits belong together. */
interface CopyEdges {
  readonly keyframeTicks: ArrayLike<number>
  readonly splitTicks: ArrayLike<number>
  /** Of each split, the packets before it that are shown last and decoded last. */
  readonly shownTicks: ArrayLike<number>
  readonly decodedTicks: ArrayLike<number>
  /** Of all packets. */
  readonly earliestTick: number
  readonly latestTick: number
  readonly lastDecodedTick: number
}

export async function copyEdgesOf({
  pts,
  keyframeTicks,
}: Pick<CodedPackets, 'pts' | 'keyframeTicks'>): Promise<CopyEdges> {
  const turns = startTurns()
  const [splits, shown, decoded] = [createColumn(), createColumn(), createColumn()]
  for (const { tick, index, shownTick } of splitsOf(pts)) {
    if (turns.isDue()) await turns.next()
    splits.push(tick)
    shown.push(shownTick)
    decoded.push(pts[index - 1] ?? Number.NEGATIVE_INFINITY)
  }
  const earliestTick = pts.reduce((least, tick) => Math.min(least, tick), Number.POSITIVE_INFINITY)
  const latestTick = pts.reduce((most, tick) => Math.max(most, tick), Number.NEGATIVE_INFINITY)
  const splitTicks = splits.values()
  return {
    keyframeTicks,
    splitTicks,
    shownTicks: shown.values(),
    decodedTicks: decoded.values(),
    earliestTick,
    latestTick,
    lastDecodedTick: pts.at(-1) ?? Number.NEGATIVE_INFINITY,
  }
}

/**
 * The packets that show a range: from the keyframe at or before its start, or `packetsBefore` earlier ones, until the first time at
 * or after its end that splits the packets in decoding order, so that no packet refers to one that is missing. Throws `CopyRefusal`
 * if there is no keyframe.
 */
export function copyBounds(
  requested: TickSpan,
  { keyframeTicks, earliestTick }: Pick<CopyEdges, 'keyframeTicks' | 'earliestTick'>,
  aroundEnd: CopyEdges,
  { packetsBefore = 0, ...options }: CopyBoundsOptions,
): CopySpan {
  const until = lowerBound(keyframeTicks, (tick) => tick <= requested.fromTick + options.toleranceTicks)
  const latest = until - 1 - packetsBefore
  const fromTick = keyframeTicks[Math.max(0, latest)]
  if (fromTick === undefined) throw new CopyRefusal('the window has no keyframe')
  const startsLate = until === 0 && earliestTick === fromTick
  return {
    requested,
    startsLate,
    fromTick: startsLate ? requested.fromTick : fromTick,
    ...endOfPackets(aroundEnd, requested.toTick, options),
  }
}

interface CopyBoundsOptions {
  readonly toleranceTicks: number
  /** A picture that is shown for longer is not shown after the range's end. */
  readonly longTicks: number
  readonly packetsBefore?: number | undefined
}

function endOfPackets(
  { splitTicks, shownTicks, decodedTicks, latestTick, lastDecodedTick }: CopyEdges,
  endTick: number,
  { toleranceTicks, longTicks }: CopyBoundsOptions,
): Pick<CopySpan, 'toTick' | 'last'> {
  const split = lowerBound(splitTicks, (tick) => tick < endTick - toleranceTicks)
  const [splitTick, shownTick, decodedTick] = [splitTicks[split], shownTicks[split], decodedTicks[split]]
  if (splitTick === undefined || shownTick === undefined || decodedTick === undefined) {
    if (latestTick >= endTick) return { toTick: latestTick + 1 }
    return { toTick: endTick, last: { shownTick: latestTick, decodedTick: lastDecodedTick, isFollowed: false } }
  }
  const toTick = Math.min(splitTick, Math.max(endTick, shownTick + longTicks))
  return { toTick, last: Number.isFinite(shownTick) ? { shownTick, decodedTick, isFollowed: true } : undefined }
}

/** A copy may start this long before its range, whatever the range's length. */
const maxLeadSeconds = 30

/** By how much copies of ranges that last for `seconds` may be longer. */
export function longestLeadSeconds(seconds: number): number {
  return Math.max(maxLeadSeconds, seconds)
}

/**
 * Throws `CopyRefusal` if the span is mostly what nobody asked for: a film can have its only keyframe at its start. Groups of pictures
 * last for ten seconds or less in most films.
 */
export function refuseLongLead({ requested, fromTick, toTick }: CopySpan, secondsPerTick: number): void {
  const length = requested.toTick - requested.fromTick
  const excessSeconds = (toTick - fromTick - length) * secondsPerTick
  refuseUnless(
    excessSeconds <= longestLeadSeconds(length * secondsPerTick),
    `the keyframes are more than ${maxLeadSeconds} seconds apart`,
  )
}

/** Merges spans that overlap or touch; spans and result are ascending. */
export function mergeSpans(spans: readonly CopySpan[]): CopySpan[] {
  const merged: CopySpan[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last && span.fromTick <= last.toTick) {
      const requested = { fromTick: last.requested.fromTick, toTick: span.requested.toTick }
      const latest = last.toTick > span.toTick ? last : span
      merged[merged.length - 1] = { ...last, requested, toTick: latest.toTick, last: latest.last }
    } else merged.push(span)
  }
  return merged
}

/** For containers, and for sources of a few kilobytes. */
const slackBytes = 64 * 2 ** 20

/**
 * What the copies of one job may take on disk. Each can be as large as the source, however short its range is: a film may have one
 * keyframe, and ranges may overlap.
 */
export interface CopyBudget {
  /** The last copy may exceed it. */
  bytesLeft: number
}

export function copyBudget(sourceBytes: number): CopyBudget {
  return { bytesLeft: 2 * sourceBytes + slackBytes }
}

/** Makes a file of copied packets, and takes its size from the budget. Throws `CopyRefusal` if nothing is left. */
export async function withinBudget<T>(budget: CopyBudget, outputPath: string, copy: () => Promise<T>): Promise<T> {
  refuseUnless(budget.bytesLeft > 0, 'the copies of this job are together larger than twice the source')
  const made = await copy()
  budget.bytesLeft -= (await stat(outputPath)).size
  return made
}
