import type { CodedPacket } from './coded-packets.ts'
import { CopyRefusal, refuseUnless } from './copy-refusal.ts'
import type { TickSpan } from './smart-checks.ts'

/** A stretch of packets to copy, with the bounds of the requested ranges in it. */
export interface CopySpan extends TickSpan {
  readonly requested: TickSpan
  /** The packets that are shown last, until `toTick`, and decoded last. Undefined if no packet follows them. */
  readonly last?: { readonly shownTick: number; readonly decodedTick: number } | undefined
}

type Times = Pick<CodedPacket, 'pts' | 'isKeyframe'>

/**
 * The packets that show a range: from the keyframe at or before its start, until the first time at or after its end that splits the
 * packets in decoding order, so that no packet refers to one that is missing. Packets are around the start and around the end, in
 * decoding order. Throws `CopyRefusal` if there is no keyframe.
 */
export function copyBounds(
  requested: TickSpan,
  aroundStart: readonly Times[],
  aroundEnd: readonly Times[],
  toleranceTicks: number,
): CopySpan {
  const keyframes = aroundStart.filter(({ isKeyframe }) => isKeyframe).map(({ pts }) => pts)
  const latest = keyframes.findLast((pts) => pts <= requested.fromTick + toleranceTicks)
  const fromTick = latest ?? keyframes[0]
  if (fromTick === undefined) throw new CopyRefusal('the window has no keyframe')
  return { requested, fromTick, ...endOfPackets(aroundEnd, requested.toTick - toleranceTicks) }
}

function endOfPackets(packets: readonly Times[], endTick: number): Pick<CopySpan, 'toTick' | 'last'> {
  const least = packets.map(({ pts }) => pts)
  for (let at = least.length - 2; at >= 0; at--) least[at] = Math.min(least[at] ?? 0, least[at + 1] ?? 0)
  let most = Number.NEGATIVE_INFINITY
  for (const [at, { pts }] of packets.entries()) {
    const next = least[at] ?? pts
    const before = packets[at - 1]
    if (next >= endTick && most < next)
      return { toTick: next, last: before && { shownTick: most, decodedTick: before.pts } }
    most = Math.max(most, pts)
  }
  // Nothing follows.
  return { toTick: Math.max(endTick, most + 1) }
}

/** A copy may start this long before its range, whatever the range's length. */
const maxLeadSeconds = 30

/**
 * Throws `CopyRefusal` if the span is mostly what nobody asked for: a film can have its only keyframe at its start. Groups of pictures
 * last for ten seconds or less in most films.
 */
export function refuseLongLead({ requested, fromTick, toTick }: CopySpan, secondsPerTick: number): void {
  const excess = toTick - fromTick - (requested.toTick - requested.fromTick)
  const most = Math.max(maxLeadSeconds / secondsPerTick, requested.toTick - requested.fromTick)
  refuseUnless(excess <= most, `the keyframes are more than ${maxLeadSeconds} seconds apart`)
}

/** Merges spans that overlap or touch; spans and result are ascending. */
export function mergeSpans(spans: readonly CopySpan[]): CopySpan[] {
  const merged: CopySpan[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last && span.fromTick <= last.toTick) {
      const requested = { fromTick: last.requested.fromTick, toTick: span.requested.toTick }
      const latest = last.toTick > span.toTick ? last : span
      merged[merged.length - 1] = { requested, fromTick: last.fromTick, toTick: latest.toTick, last: latest.last }
    } else merged.push(span)
  }
  return merged
}
