import { lowerBound } from '../../core/many-numbers.ts'
import { isCentredIn, normalize, type Segment } from '../../core/segments.ts'
import { mapInTurns } from '../../core/turns.ts'
import type { EarlierSound } from '../define-timeline-endpoint.ts'

/** Of `squares`, which has 100 a second. */
const cellsPerSecond = 100
/** Of the speech: this share is the loudest. */
const loudestShare = 0.1
/** As powers: 2 dB above what is usual, which can be heard. Sound that is steadier has no loud seconds. */
const leastTimes = 10 ** 0.2

/** The seconds that are louder than what is said usually, whatever the level of the recording. */
export async function loudSeconds(
  { startMs, squares }: Pick<EarlierSound['envelope'], 'startMs' | 'squares'>,
  sentences: readonly Segment[],
): Promise<Segment[]> {
  const seconds = await mapInTurns(Array.from({ length: Math.floor(squares.length / cellsPerSecond) }), (_, index) => {
    const cells = squares.subarray(index * cellsPerSecond, (index + 1) * cellsPerSecond)
    const start = startMs / 1000 + index
    return { start, end: start + 1, power: cells.reduce((sum, cell) => sum + cell, 0) }
  })
  const spoken = seconds.filter((second) => {
    const sentence = sentences[lowerBound(sentences, ({ end }) => end <= (second.start + second.end) / 2)]
    return sentence !== undefined && isCentredIn(second, sentence)
  })
  const powers = Float64Array.from(spoken, ({ power }) => power).sort()
  const powerAt = (share: number) => powers[Math.floor(powers.length * share)] ?? Number.POSITIVE_INFINITY
  const least = Math.max(powerAt(1 - loudestShare), powerAt(0.5) * leastTimes, Number.MIN_VALUE)
  return normalize(seconds.filter(({ power }) => power >= least))
}
