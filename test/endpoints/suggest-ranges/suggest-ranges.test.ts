import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { durationOf, normalize, type Segment, subtract } from '../../../src/core/segments.ts'
import { parseSettings } from '../../../src/endpoints/parse-settings.ts'
import {
  suggestRangesEndpoint as declared,
  suggestRangesSettings,
} from '../../../src/endpoints/timeline-suggest-ranges/declaration.ts'
import { resolvePauses } from '../../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import {
  runSuggestRanges,
  type SuggestRangesInput,
  suggestRanges as suggest,
} from '../../../src/endpoints/timeline-suggest-ranges/run.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork } from '../../longest-work.ts'
import { answerOf, outputOf } from '../answer-of.ts'

// Eighths of a second are exact in floating point.
const eighths = (most: number) => fc.nat(most * 8).map((count) => count / 8)
const sounds = fc.array(
  fc.tuple(eighths(50), eighths(6)).map(([start, length]): Segment => ({ start, end: start + length })),
  { maxLength: 12 },
)
const input = fc.record({
  sounds,
  within: fc.tuple(eighths(10), eighths(40)).map(([start, length]) => ({ start, end: start + length + 1 })),
  keep: fc.constantFrom('sound', 'silence'),
  padding: fc.record({ before: eighths(2), after: eighths(2) }),
  mergeGapSeconds: eighths(2),
  minCutSeconds: eighths(2),
  minSegmentSeconds: eighths(2),
}) satisfies fc.Arbitrary<SuggestRangesInput>

const unchanged = { padding: { before: 0, after: 0 }, mergeGapSeconds: 0, minCutSeconds: 0, minSegmentSeconds: 0 }

/** The input without padding, merging or a minimum cut. */
const plain = ({ minSegmentSeconds }: SuggestRangesInput) => ({ ...unchanged, minSegmentSeconds })

const suggestRanges = async (given: SuggestRangesInput) => (await suggest(given)).ranges

describe('suggested ranges', () => {
  it('are in order, separate, inside the window, and leave no cut that is too short', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const ranges = await suggestRanges(given)
        expect(normalize(ranges)).toEqual(ranges)
        expect(subtract(ranges, [given.within])).toEqual([])
        const cuts = subtract([given.within], ranges)
        expect(cuts.every((cut) => durationOf(cut) >= given.minCutSeconds)).toBe(true)
      }),
    )
  })

  it('count the gaps that stay uncut', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { ranges, gapsKept } = await suggest(given)
        const gaps = subtract([given.within], await suggestRanges({ ...given, ...plain(given) }))
        expect(gapsKept).toBe(gaps.filter((gap) => subtract([gap], ranges).length === 0).length)
      }),
    )
  })

  it('keep every sound of sufficient length', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const long = normalize(given.sounds).filter((sound) => durationOf(sound) >= given.minSegmentSeconds)
        const lost = subtract(long, await suggestRanges({ ...given, keep: 'sound' }))
        expect(subtract(lost, subtract(lost, [given.within]))).toEqual([])
      }),
    )
  })

  it('of sound and of silence add up to the whole without padding, merging or uncut gaps', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const sound = await suggestRanges({ ...given, ...plain(given), keep: 'sound' })
        const silence = await suggestRanges({ ...given, ...plain(given), keep: 'silence' })
        expect(subtract([given.within], sound)).toEqual(silence)
        expect(subtract([given.within], silence)).toEqual(sound)
      }),
    )
  })

  it('are idempotent', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const ranges = await suggestRanges({ ...given, keep: 'sound' })
        const again = { ...given, ...unchanged, keep: 'sound' as const, minCutSeconds: given.minCutSeconds }
        expect(await suggestRanges({ ...again, sounds: ranges })).toEqual(ranges)
      }),
    )
  })

  it('grow with the padding', async () => {
    await fc.assert(
      fc.asyncProperty(input, eighths(2), async (given, more) => {
        const { before, after } = given.padding
        const wider = { ...given, padding: { before: before + more, after: after + more } }
        expect(subtract(await suggestRanges(given), await suggestRanges(wider))).toEqual([])
      }),
    )
  })

  it('are made in the order: drop short sounds, pad, merge, drop short cuts', async () => {
    const given = {
      sounds: [
        { start: 1, end: 1.05 },
        { start: 2, end: 3 },
        { start: 3.5, end: 5 },
        { start: 7, end: 9.75 },
      ],
      within: { start: 0, end: 10 },
      keep: 'sound' as const,
      padding: { before: 0.125, after: 0.125 },
      mergeGapSeconds: 0.25,
      minCutSeconds: 0.2,
      minSegmentSeconds: 0.1,
    }
    expect(await suggestRanges(given)).toEqual([
      { start: 1.875, end: 5.125 },
      { start: 6.875, end: 10 },
    ])
  })
})

describe('timeline/suggest-ranges', () => {
  const segments = [
    { start: 1, end: 2.0004 },
    { start: 4, end: 6 },
  ]

  it('returns the kept ranges and the seconds saved', async () => {
    expect(await answerOf(declared, { segments, media_seconds: 10.0004 })).toEqual({
      media_seconds: 10,
      ranges: [
        { start: 0.8, end: 2.2, duration: 1.4 },
        { start: 3.8, end: 6.2, duration: 2.4 },
      ],
      kept_seconds: 3.8,
      saved_seconds: 6.2,
      gaps_kept: 0,
    })
  })

  it('reports pauses that the defaults close', async () => {
    const pauses = [
      { start: 0, end: 2 },
      { start: 2.5, end: 5 },
      { start: 5.7, end: 9 },
    ]
    const given = { segments: pauses, media_seconds: 9 }
    expect(await answerOf(declared, given)).toMatchObject({ gaps_kept: 1, saved_seconds: 0.3 })
    expect(await answerOf(declared, { ...given, padding_seconds: 0.05 })).toMatchObject({ gaps_kept: 0 })
  })

  it('accepts padding for each side', async () => {
    const padding_seconds = { before: 0.5, after: 0 }
    const { ranges } = await answerOf(declared, { segments, media_seconds: 10, padding_seconds })
    expect(ranges).toMatchObject([{ start: 0.5 }, { start: 3.5, end: 6 }])
  })

  it('stays inside the window of the job of job_id', async () => {
    const job = { window: { startSeconds: 1.5, endSeconds: 5 }, segments, mediaSeconds: 10 }
    expect(await answerOf(declared, { job_id: 'job_a' }, { job_a: job })).toMatchObject({
      ranges: [
        { start: 1.5, end: 2.2 },
        { start: 3.8, end: 5 },
      ],
      saved_seconds: 1.6,
    })
  })

  describe('with max_pause_seconds', () => {
    const talk = {
      segments: [
        { start: 2, end: 4 },
        { start: 4.4, end: 6 },
        { start: 8, end: 9 },
      ],
      media_seconds: 12,
    }

    it('shortens longer pauses, half on each side, and leaves shorter ones', async () => {
      // Each half is a millisecond less, by which the silence can be longer than it was measured.
      expect(await answerOf(declared, { ...talk, max_pause_seconds: 0.6 })).toMatchObject({
        ranges: [
          { start: 1.7, end: 6.299 },
          { start: 7.701, end: 9.3 },
        ],
        gaps_kept: 1,
      })
    })

    it('keeps margin_seconds at the start and the end', async () => {
      const { ranges } = await answerOf(declared, { ...talk, max_pause_seconds: 0.6, margin_seconds: 0.1 })
      expect(ranges).toMatchObject([{ start: 1.9 }, { end: 9.1 }])
    })

    it('makes no cut of less than a tenth of a second, unless min_cut_seconds asks for it', async () => {
      const pauses = (seconds: number) => ({
        segments: [
          { start: 0, end: 1 },
          { start: 1 + seconds, end: 3 },
        ],
        media_seconds: 3,
      })
      const cutsOf = async (seconds: number, settings: object) => {
        const { gaps_kept, saved_seconds } = await answerOf(declared, { ...pauses(seconds), ...settings })
        return { gaps_kept, saved_seconds }
      }
      expect(await cutsOf(0.31, { preset: 'tight' })).toEqual({ gaps_kept: 1, saved_seconds: 0 })
      expect(await cutsOf(0.397, { max_pause_seconds: 0.3 })).toEqual({ gaps_kept: 1, saved_seconds: 0 })
      expect(await cutsOf(0.4, { preset: 'tight' })).toEqual({ gaps_kept: 0, saved_seconds: 0.102 })
      const asked = { preset: 'tight', min_cut_seconds: 0.01 }
      expect(await cutsOf(0.31, asked)).toEqual({ gaps_kept: 0, saved_seconds: 0.012 })
    })

    it('makes no shorter cut of any pauses, with any settings', async () => {
      const milliseconds = (most: number) => fc.integer({ min: 0, max: most }).map((ms) => ms / 1000)
      const sounds = fc.array(fc.tuple(milliseconds(700), milliseconds(900)), { minLength: 1, maxLength: 12 })
      const asked = fc.oneof(
        fc.constantFrom('gentle', 'normal', 'tight').map((preset) => ({ preset })),
        milliseconds(700).map((max_pause_seconds) => ({ max_pause_seconds })),
      )
      const margin = fc.oneof(
        fc.constant({}),
        milliseconds(300).map((padding_seconds) => ({ padding_seconds })),
      )
      await fc.assert(
        fc.asyncProperty(sounds, asked, margin, async (given, pauses, padding) => {
          let at = 0
          const found = given.map(([pause, sound]) => {
            const start = at + pause
            at = start + sound + 0.1
            return { start, end: at }
          })
          const media_seconds = at + 0.5
          const { ranges } = await answerOf(declared, { segments: found, media_seconds, ...pauses, ...padding })
          const kept = z.array(z.object({ start: z.number(), end: z.number() })).parse(ranges)
          const cuts = subtract([{ start: 0, end: Math.round(media_seconds * 1000) / 1000 }], kept)
          expect(cuts.filter((cut) => durationOf(cut) < 0.1 - 1e-9)).toEqual([])
        }),
      )
    })

    it('never leaves a longer pause, and cuts no sound', async () => {
      await fc.assert(
        fc.asyncProperty(input, fc.integer({ min: 0, max: 2_000 }), async (given, milliseconds) => {
          const maxPauseSeconds = milliseconds / 1000
          const ranges = await suggestRanges({
            ...given,
            ...unchanged,
            keep: 'sound',
            maxPauseSeconds,
            minSegmentSeconds: 0,
          })
          const kept = normalize(given.sounds)
          const silences = subtract([given.within], kept).filter(
            ({ start, end }) => start > given.within.start && end < given.within.end,
          )
          for (const silence of silences) {
            const left = subtract([silence], subtract([silence], ranges))
            const leftSeconds = left.reduce((sum, part) => sum + durationOf(part), 0)
            expect(leftSeconds).toBeLessThanOrEqual(Math.min(maxPauseSeconds, durationOf(silence)) + 1e-9)
            // Whole milliseconds on each side, less one.
            expect(leftSeconds).toBeGreaterThan(Math.min(maxPauseSeconds, durationOf(silence)) - 0.0031)
          }
          const within = subtract(kept, subtract(kept, [given.within]))
          expect(subtract(within, ranges)).toEqual([])
        }),
      )
    })
  })

  it.each([
    [{}, { before: 0.2, after: 0.2 }, undefined, 0.2],
    [{ margin_seconds: 0.05 }, { before: 0.05, after: 0.05 }, undefined, 0.2],
    [{ max_pause_seconds: 1 }, { before: 0.5, after: 0.5 }, 1, 0.1],
    [{ preset: 'gentle' }, { before: 0.3, after: 0.3 }, 1, 0.1],
    [{ preset: 'normal' }, { before: 0.2, after: 0.2 }, 0.6, 0.1],
    [{ preset: 'tight' }, { before: 0.1, after: 0.1 }, 0.3, 0.1],
    [{ preset: 'tight', min_cut_seconds: 0.05 }, { before: 0.1, after: 0.1 }, 0.3, 0.05],
    [{ preset: 'tight', max_pause_seconds: 0.1 }, { before: 0.05, after: 0.05 }, 0.1, 0.1],
    [{ preset: 'tight', margin_seconds: 0.25 }, { before: 0.25, after: 0.25 }, 0.5, 0.1],
    [{ preset: 'tight', padding_seconds: { before: 0.2, after: 0 } }, { before: 0.2, after: 0 }, 0.3, 0.1],
  ] as const)(
    '%j is a margin of %j, at most %s s of a pause, no cut under %d s',
    (settings, padding, maxPause, minCut) => {
      expect(resolvePauses(settings)).toEqual({ padding, maxPauseSeconds: maxPause, minCutSeconds: minCut })
    },
  )

  it.each([
    [{ margin_seconds: 0.4, max_pause_seconds: 0.6 }, 'settings.margin_seconds: at most half of max_pause_seconds'],
    [{ margin_seconds: 0.4, padding_seconds: 0.6 }, 'settings.margin_seconds: send this or padding_seconds'],
    [{ keep: 'silence', preset: 'tight' }, 'settings.keep: preset and max_pause_seconds'],
    [{ preset: 'brutal' }, 'settings.preset'],
    [{ max_pause_seconds: -1 }, 'settings.max_pause_seconds'],
  ])('refuses %j before anything runs', (settings, message) => {
    expect(() => parseSettings(declared, settings)).toThrow(message)
  })

  it('refuses a job that does not know the length of its media', async () => {
    const window = { startSeconds: null, endSeconds: null }
    const jobs = { job_b: { window, segments, mediaSeconds: undefined } }
    await expect(answerOf(declared, { job_id: 'job_b' }, jobs)).rejects.toThrow('Send settings.media_seconds too')
    expect(await answerOf(declared, { job_id: 'job_b', media_seconds: 8 }, jobs)).toMatchObject({ media_seconds: 8 })
  })

  it.each([
    [{}, 'settings.job_id'],
    [{ segments }, 'media_seconds is required'],
    [{ segments, media_seconds: 9, job_id: 'job_a' }, 'not both'],
    [{ segments: [{ start: 3, end: 1 }], media_seconds: 9 }, 'settings.segments[0]: start is after end'],
  ])('refuses %j', (settings, hint) => {
    expect(declared.validate({ startSeconds: null, endSeconds: null }, settings)).toContain(hint)
  })
})

describe('a detection that did not look for the pauses to shorten', () => {
  const jobId = 'job_silences'
  const found = { window: { startSeconds: null, endSeconds: null }, segments: [{ start: 1, end: 4 }], mediaSeconds: 9 }
  const warningsFor = async (settings: object, minSilenceSeconds?: number) =>
    (await outputOf(declared, { job_id: jobId, ...settings }, { [jobId]: { ...found, minSilenceSeconds } })).warnings

  it.each([
    [{ preset: 'tight' }, 0.5, 0.25],
    [{ max_pause_seconds: 0.3 }, 0.5, 0.3],
  ])('warns with %j after min_silence_seconds %d', async (settings, foundFrom, needed) => {
    expect(await warningsFor(settings, foundFrom)).toEqual([
      `The job of job_id found pauses from ${foundFrom} s on, so that shorter ones stay. Shortening them needs a detection with min_silence_seconds ${needed}.`,
    ])
  })

  it.each([
    [{ preset: 'tight' }, 0.25],
    [{ preset: 'gentle' }, 0.5],
    [{}, 0.5],
    [{ preset: 'tight' }, undefined],
  ])('does not warn with %j after min_silence_seconds %s', async (settings, foundFrom) => {
    expect(await warningsFor(settings, foundFrom)).toEqual([])
  })
})

it('20,000 segments are worked on in turns', bestOfThree, async () => {
  const segments = Array.from({ length: 20_000 }, (_, index) => ({
    start: ((index * 7_919) % 20_000) * 2 + 1,
    end: ((index * 7_919) % 20_000) * 2 + 2,
  }))
  const settings = suggestRangesSettings.parse({ segments, media_seconds: 40_001, max_pause_seconds: 0.4 })
  const longest = await longestWork(() =>
    runSuggestRanges({ settings, earlierTimelines: expect.fail, earlierWords: expect.fail }),
  )
  expect(longest).toBeLessThan(60)
})
