import fc from 'fast-check'
import type { FuzzCase } from './case-types.ts'
import { mediaCases } from './media-cases.ts'
import { requestCases, signedUrlCases, toolCases } from './request-cases.ts'

/** The cases of a seed: case `number` is the same in every run with the same OpenAPI document. */
export function casesOf(root: string, seed: number): (number: number) => FuzzCase {
  const all: fc.Arbitrary<FuzzCase> = fc.oneof(
    { weight: 10, arbitrary: mediaCases },
    { weight: 6, arbitrary: requestCases(root) },
    { weight: 4, arbitrary: toolCases },
    { weight: 2, arbitrary: signedUrlCases },
  )
  return (number) => {
    const [found] = fc.sample(all, { seed: seed * 1_000_003 + number, numRuns: 1 })
    if (!found) throw new RangeError('fast-check made no case')
    return found
  }
}
