import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pageOfResult } from '../../../api/jobs/schema.ts'

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

  it('has the sentences of a transcript that are in it, with their text, and no words', () => {
    const sentences = ['One.', 'Two.', 'Three.'].map((text, index) => ({ text, ...entry(index * 10) }))
    const text = 'One. Two. Three.'
    const words = [{ text: 'One', start: 0, end: 0.4, confidence: 1 }]
    const found = { segments: [entry(0), entry(11)], transcript: { language: 'en', text, sentences, words } }
    const pages = [0, 20].map((from_seconds) => pageOfResult(found, { limit: 2, from_seconds }))
    expect(pages.map(({ result }) => result['transcript'])).toEqual([
      { language: 'en', text: 'One. Two.', sentences: sentences.slice(0, 2), words: [] },
      { language: 'en', text: 'Three.', sentences: sentences.slice(2), words: [] },
    ])
    expect(pages.map(({ page }) => page)).toEqual([
      {
        lists: { segments: { total: 2, shown: 2 }, 'transcript.sentences': { total: 3, shown: 2 } },
        next_from_seconds: 20,
      },
      { lists: { segments: { total: 2, shown: 0 }, 'transcript.sentences': { total: 3, shown: 1 } } },
    ])
    expect(Object.keys(pages[0]?.result ?? {})).toEqual(['segments', 'transcript'])
  })

  it('has the points of an envelope only if it is the one from the start', () => {
    const envelope = { seconds_per_point: 0.1, rms_db: [-20, -30] }
    const found = { segments: [entry(0), entry(1)], envelope }
    const pages = [0, 1].map((from_seconds) => pageOfResult(found, { limit: 1, from_seconds }).result)
    expect(pages.map((page) => page['envelope'])).toEqual([envelope, { ...envelope, rms_db: [] }])
  })

  it('of an hour of speech is short', () => {
    const sentences = Array.from({ length: 600 }, (_, index) => ({
      ...entry(index * 6),
      text: 'A sentence of some words.',
    }))
    const words = sentences.flatMap(({ start, end }) => Array(10).fill({ text: 'word', start, end, confidence: 0.99 }))
    const transcript = { language: 'en', text: sentences.map(({ text }) => text).join(' '), sentences, words }
    const { result } = pageOfResult({ matches: [entry(1)], segments: [entry(1)], transcript }, { limit: 100 })
    expect(JSON.stringify(result).length).toBeLessThan(15_000)
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
