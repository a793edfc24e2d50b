import { percentile } from '../percentile.ts'

/** Milliseconds of each method, by name. */
export type Times<Way extends string> = Readonly<Record<Way, number>>

/**
 * Runs the methods in turns for a number of rounds, so that all run under the same conditions, and returns the median of
 * each. A method receives the number of the round; a number that it returns replaces its measured time.
 */
export async function inTurns<Way extends string>(
  rounds: number,
  ways: Readonly<Record<Way, (round: number) => Promise<unknown>>>,
): Promise<Times<Way>> {
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [way, work] of Object.entries<(round: number) => Promise<unknown>>(ways)) {
      const start = performance.now()
      const returned = await work(round)
      const took = typeof returned === 'number' ? returned : performance.now() - start
      times.set(way, [...(times.get(way) ?? []), took])
    }
  }
  const medians: Partial<Record<Way, number>> = {}
  for (const way in ways) medians[way] = percentile(times.get(way) ?? [], 0.5)
  return whole(medians, ways)
}

function whole<Way extends string>(
  medians: Partial<Record<Way, number>>,
  ways: Readonly<Record<Way, unknown>>,
): Times<Way> {
  const isWhole = (given: typeof medians): given is Record<Way, number> =>
    Object.keys(ways).every((way) => way in given)
  if (!isWhole(medians)) throw new Error('a way was not measured')
  return medians
}
