import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { complement, intersect, normalize, type Segment } from '../../src/core/segments.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings } from '../../src/endpoints/parse-settings.ts'
import { mergeEndpoint as declared, mergeSettings } from '../../src/endpoints/timeline-merge/declaration.ts'
import { type MergeMode, mergeTimelines, runMerge } from '../../src/endpoints/timeline-merge/run.ts'
import { bestOfThree } from '../best-of-three.ts'
import { longestWork } from '../longest-work.ts'
import { answerOf } from './answer-of.ts'

const second = fc.nat(40)
const segments = fc.array(
  fc.tuple(second, fc.nat(6)).map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 10 },
)
const timelines = fc.array(segments, { minLength: 1, maxLength: 5 })
const mode = fc.constantFrom<MergeMode>('union', 'intersection', 'subtract')
const times = (list: readonly Segment[]) => list.map(({ start, end }) => ({ start, end }))
const merged = async (lists: readonly (readonly Segment[])[], how: MergeMode) => times(await mergeTimelines(lists, how))

describe('an interleaved timeline', () => {
  it('has every segment as it is, in the order of time, with its label and source', async () => {
    const chunk = { start: 0, end: 5, label: 'Baking bread' }
    const lines = [
      { start: 1, end: 2, label: 'Flour' },
      { start: 4, end: 9, label: 'Oven' },
    ]
    expect(await mergeTimelines([[chunk], lines], 'interleave')).toEqual([
      { ...chunk, sources: [0] },
      { ...lines[0], sources: [1] },
      { ...lines[1], sources: [1] },
    ])
    expect(await mergeTimelines([[], []], 'interleave')).toEqual([])
  })

  it('loses no segment and adds none', async () => {
    await fc.assert(
      fc.asyncProperty(timelines, async (lists) => {
        const all = await mergeTimelines(lists, 'interleave')
        expect(all).toHaveLength(lists.flat().length)
        for (const [index, list] of lists.entries()) {
          const own = all.filter(({ sources }) => sources[0] === index)
          expect(times(own)).toEqual(times(list.toSorted((a, b) => a.start - b.start || a.end - b.end)))
        }
      }),
    )
  })
})

describe('a merged timeline', () => {
  it('is in order and without overlap', async () => {
    await fc.assert(
      fc.asyncProperty(timelines, mode, async (lists, how) => {
        expect(normalize(await merged(lists, how))).toEqual(await merged(lists, how))
      }),
    )
  })

  it('of union and intersection depends neither on order nor on grouping', async () => {
    await fc.assert(
      fc.asyncProperty(
        timelines,
        segments,
        fc.constantFrom<MergeMode>('union', 'intersection'),
        async (lists, more, how) => {
          const all = await merged([...lists, more], how)
          expect(await merged([more, ...lists.toReversed()], how)).toEqual(all)
          expect(await merged([await merged(lists, how), more], how)).toEqual(all)
        },
      ),
    )
  })

  it('with itself is itself, and without itself is empty', async () => {
    await fc.assert(
      fc.asyncProperty(segments, async (list) => {
        expect(await merged([list, list], 'union')).toEqual(normalize(list))
        expect(await merged([list, list], 'intersection')).toEqual(normalize(list))
        expect(await merged([list, list], 'subtract')).toEqual([])
      }),
    )
  })

  it('absorbs and distributes', async () => {
    await fc.assert(
      fc.asyncProperty(segments, segments, segments, async (a, b, c) => {
        expect(await merged([a, await merged([a, b], 'union')], 'intersection')).toEqual(normalize(a))
        expect(await merged([a, await merged([b, c], 'union')], 'intersection')).toEqual(
          await merged([await merged([a, b], 'intersection'), await merged([a, c], 'intersection')], 'union'),
        )
      }),
    )
  })

  it('of subtract is the part of the first outside all others', async () => {
    await fc.assert(
      fc.asyncProperty(segments, timelines, async (first, others) => {
        const outside = complement(others.flat(), { start: 0, end: 100 })
        expect(await merged([first, ...others], 'subtract')).toEqual(intersect(first, outside))
      }),
    )
  })

  it('names the timelines that cover a part of each segment', async () => {
    await fc.assert(
      fc.asyncProperty(timelines, mode, async (lists, how) => {
        for (const { start, end, sources } of await mergeTimelines(lists, how)) {
          const covering = lists.flatMap((list, index) => (intersect(list, [{ start, end }]).length > 0 ? [index] : []))
          expect(sources).toEqual(covering)
        }
      }),
    )
  })
})

it.each<MergeMode>(['union', 'intersection', 'subtract'])(
  'reads each of 20,000 segments a few times, however many timelines they are in: %s',
  async (how) => {
    let reads = 0
    const counted = (start: number, end: number) => ({
      get start() {
        reads += 1
        return start
      },
      end,
    })
    const lists = Array.from({ length: 20 }, (_, list) =>
      Array.from({ length: 1_000 }, (__, index) => counted(index * 2 + list / 1000, index * 2 + list / 1000 + 1.5)),
    )
    await mergeTimelines(lists, how)
    // Sorting reads each twice for each of log2(20,000) levels, for the merged timeline and again for its sources.
    expect(reads).toBeLessThan(20_000 * 4 * 15)
  },
)

/** A sort of all segments takes a third of it. */
const maxMergeMs = 100

describe('a merge of 20,000 segments', () => {
  const label = 'x'.repeat(200)
  const many = (count: number, offset: number) =>
    Array.from({ length: count }, (_, index) => ({ start: index * 2 + offset, end: index * 2 + offset + 1.5, label }))
  const alike = Array.from({ length: 20 }, (_, index) => ({ segments: many(1_000, index / 1000) }))
  const oneLong = [
    { segments: many(19_981, 0) },
    ...Array.from({ length: 19 }, () => ({ segments: [{ start: 0, end: 40_000 }] })),
  ]

  it.each([
    ['intersection', oneLong],
    ['interleave', alike],
    ['union', alike],
  ])('works in turns: %s', bestOfThree, async (mode, timelines) => {
    const settings = mergeSettings.parse({ timelines, mode })
    const merge = () => runMerge({ settings, earlierTimelines: expect.fail })
    const longest = await longestWork(merge)
    expect(longest).toBeLessThan(maxMergeMs)
  })
})

describe('timeline/merge', () => {
  const loud = { name: 'loud', segments: [{ start: 3, end: 9, score: 0.5 }], media_seconds: 20 }
  const talk = { segments: [{ start: 0, end: 4.5 }] }

  it('returns one timeline and its sources', async () => {
    expect(await answerOf(declared, { timelines: [loud, talk], mode: 'intersection' })).toEqual({
      media_seconds: 20,
      segments: [{ start: 3, end: 4.5, duration: 1.5, sources: [0, 1] }],
      total_segment_seconds: 1.5,
      sources: [{ name: 'loud', segments: 1 }, { segments: 1 }],
    })
  })

  it('accepts the results of jobs', async () => {
    const window = { startSeconds: null, endSeconds: null }
    const jobs = {
      job_a: { window, segments: loud.segments, mediaSeconds: 20 },
      job_b: { window, segments: talk.segments, mediaSeconds: undefined },
    }
    expect(await answerOf(declared, { job_ids: ['job_a', 'job_b'] }, jobs)).toMatchObject({
      segments: [{ start: 0, end: 9, sources: [0, 1] }],
      sources: [{ job_id: 'job_a' }, { job_id: 'job_b' }],
    })
    expect(await answerOf(declared, { job_ids: ['job_a', 'job_b', 'job_a'] }, jobs)).toMatchObject({
      sources: [{ job_id: 'job_a' }, { job_id: 'job_b' }],
    })
    await expect(answerOf(declared, { job_ids: ['job_a', 'job_c'] }, jobs)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('refuses more segments than all timelines together may have', () => {
    const segments = Array.from({ length: 1_001 }, (_, index) => ({ start: index, end: index + 0.5 }))
    const refusal = declared.validate(
      { startSeconds: null, endSeconds: null },
      { timelines: Array.from({ length: 20 }, () => ({ segments })) },
    )
    expect(refusal).toContain('20020 segments together')
  })
})

describe('timelines of several recordings', () => {
  const recordings = [
    { synced: true, offset_seconds: 0, drift_ppm: 0, confidence: 1 },
    { name: 'recorder', synced: true, offset_seconds: -2, drift_ppm: 100, residual_ms: 3, confidence: 0.9 },
  ]
  const camera = { segments: [{ start: 1, end: 3 }], media_seconds: 1000 }
  const given = (more: object) => ({
    ...{ mode: 'interleave', recordings },
    timelines: [
      camera,
      {
        segments: [
          { start: 0, end: 1.5 },
          { start: 1, end: 4 },
          { start: 1000, end: 1001 },
        ],
        ...more,
      },
    ],
  })

  it('are on the clock of the reference, without what is before its start', async () => {
    expect(await answerOf(declared, given({ media_seconds: 2000 }))).toMatchObject({
      media_seconds: 1998.2,
      segments: [
        { start: 0, end: 2, sources: [1] },
        { start: 1, end: 3, sources: [0] },
        { start: 998.1, end: 999.1, sources: [1] },
      ],
    })
  })

  it('are refused without a place for each', () => {
    const refuse = (settings: object) => declared.validate({ startSeconds: null, endSeconds: null }, settings)
    expect(refuse({ ...given({}), recordings: recordings.slice(1) })).toMatch(/has 1 entries for 2 timelines/)
    const unsynced = [recordings[0], { synced: false, confidence: 0 }]
    expect(refuse({ ...given({}), recordings: unsynced })).toBe(
      'settings.recordings[1] was not synced. Leave its timeline out.',
    )
    expect(refuse({ job_ids: ['job_a', 'job_a'], recordings })).toMatch(/no job twice/)
    const unplaced = [recordings[0], { synced: true, confidence: 1 }]
    expect(refuse({ ...given({}), recordings: unplaced })).toMatch(/^settings.recordings\[1\] has no offset_seconds/)
  })

  it.each([
    [{ offset_second: 5 }, 'Did you mean offset_seconds?'],
    [{ offset_seconds: 5, drift_pm: 90 }, 'Did you mean drift_ppm?'],
  ])('are refused with a misspelt name: %o', (sent, advice) => {
    const settings = given({})
    const misspelt = { ...settings, recordings: [recordings[0], { synced: true, confidence: 1, ...sent }] }
    expect(() => parseSettings(liveEndpoint('timeline/merge'), misspelt)).toThrow(advice)
    expect(() => parseSettings(liveEndpoint('timeline/merge'), settings)).not.toThrow()
  })
})
