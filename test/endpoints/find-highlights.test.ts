import fc from 'fast-check'
import { expect, it } from 'vitest'
import { durationOf, intersect, normalize, type Segment, totalDuration } from '../../src/core/segments.ts'
import type { EarlierWord } from '../../src/endpoints/define-timeline-endpoint.ts'
import { wholeMedia } from '../../src/endpoints/parse-settings.ts'
import {
  findHighlightsEndpoint,
  findHighlightsResult,
} from '../../src/endpoints/timeline-find-highlights/declaration.ts'
import { type Highlight, highlightsOf, type Sentence } from '../../src/endpoints/timeline-find-highlights/highlights.ts'
import { loudSeconds } from '../../src/endpoints/timeline-find-highlights/loud-seconds.ts'
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

it('a highlight ends after a laugh that comes late in the pause, and has no talk after it', async () => {
  const pauseSeconds = 8
  const sentences = talk(40).map((each, index): Sentence => {
    const moved = index < 20 ? 0 : pauseSeconds
    return {
      ...{ text: each.text, start: each.start + moved, end: each.end + moved },
      ...{ startEdge: each.startEdge + moved, endEdge: each.endEdge + moved },
      nextStart: each.nextStart + (index < 19 ? 0 : pauseSeconds),
    }
  })
  // The pause is from 129.5 to 138.
  const found = await highlightsOf(sentences, { ...sought, laughs: [{ start: 132.6, end: 135.5 }] })
  expect(found.map(({ end }) => end)).toEqual([135.5])
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

/** A lecture of sentences that are all said alike, but for those of some indexes, and its sound. */
function lecture(count: number, louder: readonly number[]) {
  const words: EarlierWord[] = []
  const squares = new Float32Array(count * 650)
  for (let sentence = 0; sentence < count; sentence += 1) {
    const start = sentence * 6.5
    for (let word = 0; word < 12; word += 1) {
      const at = start + word / 2
      words.push({ text: word === 11 ? 'so.' : 'and', start: at, end: at + 0.5, quietBefore: null, quietAfter: null })
    }
    // Speech is never quite steady.
    for (let cell = 0; cell < 600; cell += 1)
      squares[start * 100 + cell] = (louder.includes(sentence) ? 4 : 1) * (1 + ((sentence * 7 + cell) % 5) / 10)
  }
  const mediaSeconds = count * 6.5
  const peaks = new Uint16Array(mediaSeconds * 1000)
  return {
    words: { words, mediaSeconds, window: wholeMedia },
    sound: { mediaName: undefined, envelope: { startMs: 0, endMs: mediaSeconds * 1000, peaks, squares } },
  }
}

const heardJobs = { words_job_id: 'job_words', energy_job_id: 'job_loud' }

it('a lecture without laughs or questions has the stretches in which more is said loudly, however loud it is', async () => {
  const { words, sound } = lecture(60, [20, 45])
  // By its level, the job found all of it loud.
  const job = {
    segments: [{ start: 0, end: 390 }],
    mediaSeconds: 390,
    window: wholeMedia,
    minSilenceSeconds: undefined,
  }
  const answer = async (jobs: { readonly job_loud?: typeof sound }) => {
    const { result } = await outputOf(findHighlightsEndpoint, heardJobs, { job_loud: job }, { job_words: words }, jobs)
    return findHighlightsResult.parse(result).ranges
  }
  expect(await answer({})).toEqual([])
  const found = await answer({ job_loud: sound })
  expect(found).toHaveLength(2)
  for (const [index, { start, end, reasons }] of found.entries()) {
    const said = [20, 45][index] ?? expect.fail()
    expect([start <= said * 6.5, end >= said * 6.5 + 6]).toEqual([true, true])
    expect(words.words.filter((word) => [start, end].some((at) => at > word.start && at < word.end))).toEqual([])
    expect(reasons.map((reason) => [reason.kind, Math.floor((reason.start + reason.end) / 13)])).toEqual([
      ['loud', said],
    ])
  }
})

it('sound that is steady, or silent, has no loud seconds', async () => {
  const sentences = [{ start: 0, end: 40 }]
  for (const level of [0, 0.5])
    expect(await loudSeconds({ startMs: 0, squares: new Float32Array(4_000).fill(level) }, sentences)).toEqual([])
  expect(await loudSeconds({ startMs: 0, squares: new Float32Array(4_000).fill(1) }, [])).toEqual([])
})

it.each(['laughter_job_id', 'energy_job_id', 'topics_job_id'])(
  'refuses %s of other media than that of the words',
  async (setting) => {
    const jobId = `job_${'a'.repeat(24)}`
    const wordsJobId = `job_${'b'.repeat(24)}`
    const window = { startSeconds: null, endSeconds: null }
    const words = { [wordsJobId]: { window, mediaSeconds: 60, words: [{ start: 1, end: 2, text: 'So.' }] } }
    const answer = (mediaSeconds: number | undefined) =>
      outputOf(
        findHighlightsEndpoint,
        { words_job_id: wordsJobId, [setting]: jobId },
        { [jobId]: { window, segments: [], mediaSeconds } },
        words,
      )
    await expect(answer(75)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `settings.${setting}: the result of ${jobId} is of media of 75 s, this media has 60 s. Send a job on the media of settings.words_job_id.`,
    })
    for (const same of [60.05, undefined]) expect((await answer(same)).result).toEqual({ ranges: [] })
  },
)

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

/** Two hours of words, with the pauses between them; every tenth sentence is a question. */
function longTalk(seed: number) {
  let state = seed
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const words: EarlierWord[] = []
  const laughs: Segment[] = []
  const loud: Segment[] = []
  const topics: { start: number; end: number; label: string }[] = []
  for (let at = 0.5, sentence = 0; at < 7_190; sentence += 1) {
    const length = 4 + Math.floor(random() * 18)
    const begins = at
    if (sentence % 60 === 0)
      topics.push({ start: begins - 0.2, end: begins + 200, label: `Topic ${topics.length + 1}` })
    for (let index = 0; index < length; index += 1) {
      const end = at + 0.12 + random() * 0.4
      const isLast = index === length - 1
      const mark = sentence % 10 === 3 ? '?' : '.'
      // Within a sentence, every other pair of words touches.
      const within = index % 2 === 0 ? 0 : 0.08
      const gap = isLast ? 0.3 + random() : within
      const text = `${index === 0 ? 'Word' : 'word'}${sentence}${isLast ? mark : ''}`
      words.push({
        text,
        start: at,
        end,
        quietBefore: words.at(-1)?.quietAfter ?? null,
        quietAfter: gap > 0 ? end + gap / 2 : null,
      })
      at = end + gap
    }
    if (random() < 0.04) {
      laughs.push({ start: at - 0.1, end: at + 1 + random() * 4 })
      at += 5.5
    }
    if (random() < 0.05) loud.push({ start: begins, end: at })
  }
  return { words, laughs, loud, topics }
}

it.each([1, 22, 333])(
  'of two hours of talk (%i), every reason is true, and no highlight begins or ends inside a word',
  async (seed) => {
    const { words, laughs, loud, topics } = longTalk(seed)
    const of = { mediaSeconds: 7_200, window: wholeMedia, minSilenceSeconds: undefined }
    const jobs = {
      words_job_id: 'job_words',
      laughter_job_id: 'job_laughs',
      energy_job_id: 'job_loud',
      topics_job_id: 'job_topics',
    }
    const { result } = await outputOf(
      findHighlightsEndpoint,
      { ...jobs, max_highlights: 20 },
      {
        job_laughs: { segments: laughs, ...of },
        job_loud: { segments: loud, ...of },
        job_topics: { segments: topics, ...of },
      },
      { job_words: { words, mediaSeconds: 7_200, window: wholeMedia } },
    )
    const { ranges } = findHighlightsResult.parse(result)
    expect(ranges).toHaveLength(20)
    const isInside = (edge: number) => words.some(({ start, end }) => edge > start + 0.001 && edge < end - 0.001)
    const kinds = new Set<string>()
    for (const { start, end, text, reasons } of ranges) {
      expect([start, end].filter(isInside)).toEqual([])
      expect(end - start).toBeGreaterThanOrEqual(20)
      expect(end - start).toBeLessThanOrEqual(60.001)
      const [first, last] = [words.find((word) => word.start >= start), words.findLast((word) => word.end <= end)]
      expect(first?.text).toMatch(/^Word/)
      expect(last?.text).toMatch(/[.?]$/)
      expect(text.startsWith(first?.text ?? '-')).toBe(true)
      expect(reasons.length).toBeGreaterThan(0)
      for (const reason of reasons) {
        kinds.add(reason.kind)
        const isIn = (list: readonly Segment[]) =>
          list.some((each) => each.start <= reason.start + 0.001 && each.end >= reason.end - 0.001)
        if (reason.kind === 'laughter') expect(isIn(laughs)).toBe(true)
        else if (reason.kind === 'loud') expect(isIn(normalize(loud))).toBe(true)
        else if (reason.kind === 'question') {
          expect(reason.text).toMatch(/\?$/)
          expect(reason.start).toBeCloseTo(first?.start ?? 0, 2)
        } else {
          expect(topics.map(({ label }) => label)).toContain(reason.text)
          expect(Math.abs(reason.start - (first?.start ?? 0))).toBeLessThanOrEqual(1.001)
        }
        expect(reason.start).toBeLessThan(end)
        expect(reason.end).toBeGreaterThan(start)
      }
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['laughter', 'loud', 'question']))
  },
)

it('a talk of 20,000 sentences that hardly last, and as many laughs, does not block', async () => {
  const short = Array.from({ length: 20_000 }, (_, index): Sentence => {
    const [start, end] = [index / 1000, (index + 0.5) / 1000]
    return { text: 'Why?', start, end, startEdge: start, endEdge: end, nextStart: end }
  })
  const laughs = short.map(({ start, end }) => ({ start, end }))
  expect(await longestWork(() => highlightsOf(short, { ...sought, minSeconds: 0, laughs }))).toBeLessThan(200)
})
