import type { CodedPacket } from './coded-packets.ts'
import type { AccessPoint, PlannedStretch } from './stretches.ts'

type Times = Pick<CodedPacket, 'pts' | 'dts'>

/** Of pictures at which decoding can start, those that split the packets, which are in decoding order: all before are shown before all after. */
export function accessPointsOf(packets: readonly Times[], accessTicks: readonly number[]): AccessPoint[] {
  const canStart = new Set(accessTicks)
  const least = packets.map(({ pts }) => pts)
  for (let at = least.length - 2; at >= 0; at--) least[at] = Math.min(least[at] ?? 0, least[at + 1] ?? 0)
  const points: AccessPoint[] = []
  let most = Number.NEGATIVE_INFINITY
  for (const [at, { pts }] of packets.entries()) {
    const leadingTick = least[at] ?? pts
    if (canStart.has(pts) && most < leadingTick) points.push({ tick: pts, leadingTick })
    most = Math.max(most, pts)
  }
  return points
}

/** How long before it is shown a frame is decoded, so that frames can be encoded before and after each copied stretch. */
export function delayTicksOf(
  packets: readonly Times[],
  accessPoints: readonly AccessPoint[],
  stretches: readonly PlannedStretch[],
): number {
  const starts = new Set(stretches.flatMap((stretch) => ('fromTick' in stretch ? [stretch.fromTick] : [])))
  const leading = new Map(accessPoints.map(({ tick, leadingTick }) => [tick, leadingTick]))
  const delays = packets.flatMap(({ pts, dts }) =>
    starts.has(pts) && dts !== undefined ? [(leading.get(pts) ?? pts) - dts] : [],
  )
  return Math.max(0, ...delays)
}
