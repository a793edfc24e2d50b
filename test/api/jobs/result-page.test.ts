import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pageOfResult } from '../../../api/jobs/result-page.ts'

const entry = (start: number, score?: number) => ({
  start,
  end: start + 0.5,
  duration: 0.5,
  ...(score === undefined ? {} : { score }),
})

interface Lists {
  readonly silences: readonly { readonly start: number }[]
  readonly segments: readonly { readonly start: number }[]
}

const timed = z.array(z.object({ start: z.number(), score: z.number().optional() }))
const lists = z.object({ silences: timed, segments: timed })

/** Reads a result to its end, page by page. */
function readAll(result: Lists & Record<string, unknown>, limit: number, minScore = 0) {
  const pages = []
  let from: number | undefined = 0
  while (from !== undefined) {
    const { result: part, page } = pageOfResult(result, { limit, from_seconds: from, min_score: minScore })
    pages.push(lists.parse(part))
    from = page.next_from_seconds
    if (pages.length > 10_000) throw new Error('the pages never end')
  }
  return pages
}

describe('a page of a result', () => {
  it('has the first entries of every list, how many there are, and where the next page starts', () => {
    const segments = Array.from({ length: 20_000 }, (_, index) => entry(index))
    const { result, page } = pageOfResult({ media_seconds: 20_000, segments, silences: [entry(7)] }, { limit: 100 })
    expect(result).toMatchObject({ media_seconds: 20_000, silences: [entry(7)] })
    expect(result['segments']).toEqual(segments.slice(0, 100))
    expect(page).toEqual({
      lists: { segments: { total: 20_000, shown: 100 }, silences: { total: 1, shown: 1 } },
      next_from_seconds: 100,
    })
  })

  it('leaves out entries with a lower score, and counts only the others', () => {
    const segments = [entry(0, 0.2), entry(1, 0.9), entry(2, 0.5), entry(3)]
    const { result, page } = pageOfResult({ segments }, { min_score: 0.5 })
    expect(result['segments']).toEqual([entry(1, 0.9), entry(2, 0.5), entry(3)])
    expect(page).toEqual({ lists: { segments: { total: 3, shown: 3 } } })
  })

  it('does not touch lists that are no findings', () => {
    const result = {
      outputs: [{ url: 'a', duration: 1 }],
      windows: [{ start: 1, end: 2 }],
      envelope: { rms_db: [1, 2] },
    }
    expect(pageOfResult(result, { limit: 1 }).result).toEqual(result)
  })

  it('has more than its limit only where entries start together, so that reading always ends', () => {
    const segments = [entry(1), entry(1), entry(1), entry(2)]
    expect(readAll({ segments, silences: [] }, 2).map(({ segments }) => segments.length)).toEqual([3, 1])
  })

  it('repeats and loses nothing, whatever the lists and the limit', () => {
    const anyList = fc
      .array(fc.record({ start: fc.nat({ max: 30 }), score: fc.constantFrom(0, 0.5, 1) }))
      .map((list) => list.map(({ start, score }) => entry(start, score)).toSorted((a, b) => a.start - b.start))
    fc.assert(
      fc.property(
        anyList,
        anyList,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(0, 0.5, 1),
        (silences, segments, limit, least) => {
          const pages = readAll({ silences, segments }, limit, least)
          const matching = (list: typeof segments) => timed.parse(list).filter(({ score = 1 }) => score >= least)
          expect(pages.flatMap((page) => page.segments)).toEqual(matching(segments))
          expect(pages.flatMap((page) => page.silences)).toEqual(matching(silences))
        },
      ),
    )
  })
})
