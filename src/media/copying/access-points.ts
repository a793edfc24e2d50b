import { lowerBound } from '../../core/binary-search.ts'
import { createColumn } from '../../core/column.ts'
import { sortNumbers } from '../../core/many-numbers.ts'
import { startTurns } from '../../core/turns.ts'
import type { CodedPackets } from './coded-packets.ts'
import { splitsOf } from './packet-splits.ts'
import type { AccessPoints, PlannedStretch } from './stretches.ts'

/** Of pictures at which decoding can start, those that split the packets: all before are shown before all after. */
export async function accessPointsOf(
  { pts }: Pick<CodedPackets, 'pts'>,
  accessTicks: ArrayLike<number>,
): Promise<AccessPoints> {
  const starts = await sortNumbers(Float64Array.from(accessTicks))
  const turns = startTurns()
  const [ticks, leadingTicks] = [createColumn(), createColumn()]
  for (const { tick, index } of splitsOf(pts)) {
    if (turns.isDue()) await turns.next()
    const start = pts[index] ?? tick
    if (starts[lowerBound(starts, (each) => each < start)] !== start) continue
    ticks.push(start)
    leadingTicks.push(tick)
  }
  return { ticks: ticks.values(), leadingTicks: leadingTicks.values() }
}

/** How long before it is shown a frame is decoded, so that frames can be encoded before and after each copied stretch. */
export async function delayTicksOf(
  { pts, dts }: Pick<CodedPackets, 'pts' | 'dts'>,
  { ticks, leadingTicks }: AccessPoints,
  stretches: readonly PlannedStretch[],
): Promise<number> {
  const starts = new Set(stretches.flatMap((stretch) => ('fromTick' in stretch ? [stretch.fromTick] : [])))
  const turns = startTurns()
  let most = 0
  for (const [index, tick] of pts.entries()) {
    if (turns.isDue()) await turns.next()
    const decodedTick = dts[index] ?? Number.NaN
    if (!starts.has(tick) || Number.isNaN(decodedTick)) continue
    const leadingTick = leadingTicks[lowerBound(ticks, (each) => each < tick)] ?? tick
    most = Math.max(most, leadingTick - decodedTick)
  }
  return most
}
