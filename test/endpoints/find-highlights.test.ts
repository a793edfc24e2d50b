import fc from 'fast-check'
import { expect, it } from 'vitest'
import { durationOf, intersect, type Segment, totalDuration } from '../../src/core/segments.ts'
import { findHighlightsEndpoint } from '../../src/endpoints/timeline-find-highlights/declaration.ts'
import { type Highlight, highlightsOf, type Sentence } from '../../src/endpoints/timeline-find-highlights/highlights.ts'
import { longestWork } from '../longest-work.ts'
import { answerOf, outputOf } from './answer-of.ts'

const sought = { laughs: [], loud: [], topics: [], minSeconds: 20, maxSeconds: 60, max: 5 }

/** A talk of sentences of six seconds with pauses of half a second. */
function talk(count: number, textOf: (index: number) => string = (index) => `Sentence ${index}.`): Sentence[] {
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [index * 6.5, index * 6.5 + 6]
    return { text: textOf(index), start, end, startEdge: start - 0.2, endEdge: end + 0.2, nextStart: end + 0.5 }
  })
}

const timesOf = (found: readonly Segment[]) => found.map(({ start, end }) => ({ start, end }))

it('a highlight ends with the laugh about its last sentence, and has no more sentences than it needs', async () => {
  const sentences = talk(40)
  const [found, ...more] = await highlightsOf(sentences, { ...sought, laughs: [{ start: 130.1, end: 133 }] })
  expect(more).toEqual([])
  // The laugh begins in the pause after the sentence that ends at 129.5, and the next word is at 130.
  expect(found).toMatchObject({ rank: 1, reasons: [{ kind: 'laughter', start: 130.1, end: 133 }] })
  expect(durationOf(found ?? { start: 0, end: 0 })).toBeLessThan(35)
})

it('questions, topics and loud stretches are reasons, and a talk without any has no highlight', async () => {
  expect(await highlightsOf(talk(40), sought)).toEqual([])
  const asked = talk(40, (index) => (index === 12 ? 'Who pays for it?' : 'So it goes.'))
  const topics = [{ start: 195, end: 260, label: 'The bill' }]
  const loud = [{ start: 20, end: 26 }]
  const found = await highlightsOf(asked, { ...sought, topics, loud })
  expect(found.map(({ text, rank, reasons }) => [text, rank, reasons.map(({ kind }) => kind)])).toEqual([
    ['So it goes.', 1, ['loud']],
    ['Who pays for it?', 2, ['question']],
    ['So it goes.', 3, ['topic']],
  ])
  expect(found[2]?.reasons).toEqual([{ kind: 'topic', start: 195, end: 260, text: 'The bill' }])
})

it('answers with lists of the caller, and says so when nothing was found', async () => {
  expect(await answerOf(findHighlightsEndpoint, findHighlightsEndpoint.example.settings)).toMatchObject({
    ranges: [{ start: 2, end: 34.5, rank: 1, text: 'What happens when nobody reads the manual?' }],
  })
  const { result, warnings } = await outputOf(findHighlightsEndpoint, {
    sentences: [{ start: 0, end: 30, text: 'Well.' }],
  })
  expect(result).toEqual({ ranges: [] })
  expect(warnings).toEqual([expect.stringMatching(/^No stretch of whole sentences of 20 to 60 seconds/)])
})

it('refuses what names no sentences, both, or lengths that exclude each other', () => {
  const refuse = (given: object) => findHighlightsEndpoint.validate({ startSeconds: null, endSeconds: null }, given)
  expect(refuse({})).toMatch(/^Send settings\.words_job_id/)
  expect(refuse({ words_job_id: 'job_a', sentences: [] })).toMatch(/^Send settings\.words_job_id/)
  expect(refuse({ sentences: [], laughs: [], laughter_job_id: 'job_a' })).toMatch(/not both/)
  expect(refuse({ sentences: [{ start: 2, end: 1, text: '' }] })).toMatch(/sentences\[0\]: start is after end/)
  expect(findHighlightsEndpoint.settings.safeParse({ min_seconds: 61, sentences: [] }).success).toBe(false)
})

const sentences = fc
  .array(fc.record({ gap: fc.nat(40), length: fc.integer({ min: 1, max: 300 }), asks: fc.boolean() }), {
    maxLength: 60,
  })
  .map((parts) => {
    let at = 0
    const spoken = parts.map(({ gap, length, asks }) => {
      const start = at + gap / 10
      at = start + length / 10
      return { start, end: at, text: asks ? 'Why?' : 'So.' }
    })
    return spoken.map((each, index): Sentence => {
      const nextStart = spoken[index + 1]?.start ?? Infinity
      return { ...each, startEdge: each.start, endEdge: each.end, nextStart }
    })
  })
const segments = fc.array(
  fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 80 })).map(([start, length]) => ({
    ...{ start: start / 10, end: (start + length) / 10 },
  })),
  { maxLength: 20 },
)

it('every highlight has its length, begins and ends at sentences, touches no other, and has true reasons', async () => {
  const isTrue = ({ kind, start, end }: Highlight['reasons'][number], { laughs, loud }: Record<string, Segment[]>) => {
    if (kind === 'question' || kind === 'topic') return true
    const covered = totalDuration(intersect(kind === 'laughter' ? (laughs ?? []) : (loud ?? []), [{ start, end }]))
    return Math.abs(covered - (end - start)) < 1e-6
  }
  await fc.assert(
    fc.asyncProperty(sentences, segments, segments, async (said, laughs, loud) => {
      const found = await highlightsOf(said, { ...sought, laughs, loud })
      expect(found.length).toBeLessThanOrEqual(5)
      for (const [index, highlight] of found.entries()) {
        const { start, end, reasons } = highlight
        expect(end - start).toBeGreaterThanOrEqual(20)
        expect(end - start).toBeLessThanOrEqual(60 + 1e-9)
        expect(said.some((sentence) => sentence.start === start)).toBe(true)
        expect(said.filter((sentence) => sentence.start < end && sentence.end > end)).toEqual([])
        expect(reasons.length).toBeGreaterThan(0)
        expect(reasons.every((reason) => isTrue(reason, { laughs, loud }))).toBe(true)
        expect(timesOf(found.slice(index + 1)).every((other) => other.start >= end)).toBe(true)
      }
    }),
  )
})

it('a talk of 20,000 sentences that hardly last, and as many laughs, does not block', async () => {
  const short = Array.from({ length: 20_000 }, (_, index): Sentence => {
    const [start, end] = [index / 1000, (index + 0.5) / 1000]
    return { text: 'Why?', start, end, startEdge: start, endEdge: end, nextStart: end }
  })
  const laughs = short.map(({ start, end }) => ({ start, end }))
  expect(await longestWork(() => highlightsOf(short, { ...sought, minSeconds: 0, laughs }))).toBeLessThan(200)
})
