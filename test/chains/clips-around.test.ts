import { describe, expect, it } from 'vitest'
import { checkStep, maxStepPrice } from '../../api/runs/plan.ts'
import { getChain } from '../../src/chains/chains.ts'
import { settingsByStep, stepRequest } from '../../src/chains/step-request.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings, wholeMedia } from '../../src/endpoints/parse-settings.ts'

const window = { startSeconds: 1, endSeconds: 9 }

const nothing = (message: RegExp) =>
  expect.objectContaining({ code: 'nothing_found', message: expect.stringMatching(message) })

describe('find-exact-words', () => {
  const chain = getChain('find-exact-words')
  const settings = settingsByStep.parse({ ...chain.example, 'video/clip-near': { after_seconds: 3 } })
  const clipsOf = (starts: number[]) => {
    const matches = starts.map((start) => ({ start, end: start + 0.4 }))
    const settingsOfJob = chain.example?.['audio/find-words']
    const job = { id: 'job_a', window: wholeMedia, settings: settingsOfJob, result: { matches } }
    const earlier = { 'audio/find-words': job }
    return stepRequest(chain, { position: 1, window, settings, earlier })
  }

  it('cuts a clip around each match that is not in the clip of one before, wherever the end of that is moved', () => {
    const { settings: asked, warnings, window: read } = clipsOf([1, 1.5, 2.4, 3, 9]) ?? {}
    expect(asked).toMatchObject({ moments: [1, 2.4, 9], after_seconds: 3 })
    expect([warnings, read]).toEqual([
      ['Without clips of their own, because earlier clips contain them: 2 matches.'],
      wholeMedia,
    ])
  })

  it('cuts as many clips as one job can, and says how many matches have none', () => {
    const asked = clipsOf(Array.from({ length: 23 }, (_, index) => index * 10))
    expect(asked?.settings['moments']).toHaveLength(20)
    expect(asked?.warnings).toEqual([
      'One job cuts 20 clips, the first ones. Without clips: 3 matches. Send their times as moments of another job of video/clip-near.',
    ])
  })

  it('makes captions of its own transcript, and refuses what its clips cannot have before the words are charged', () => {
    const clips = (given: object) => ({
      ...chain.example,
      'video/clip-near': settingsByStep.parse({ given })['given'] ?? {},
    })
    const earlier = {
      'audio/find-words': {
        id: 'job_a',
        window: wholeMedia,
        settings: {},
        result: { matches: [{ start: 4, end: 4.4 }] },
      },
    }
    const captionsOf = (captions: object) =>
      stepRequest(chain, { position: 1, window, settings: settingsByStep.parse(clips({ captions })), earlier })
        ?.settings['captions']
    expect(captionsOf({ as: 'burn' })).toMatchObject({ job_id: 'job_a', as: 'burn', style: 'plain' })
    const text = '1\n00:00:01,000 --> 00:00:02,000\nown'
    expect(captionsOf({ text })).toMatchObject({ text, as: 'sidecar' })
    const check = (given: object, of = chain) => checkStep(of, 'video/clip-near', { settings: clips(given) })
    expect(check({ captions: { as: 'burn' } }).settings['captions']).toMatchObject({ as: 'burn' })
    expect(() => check({ captions: { as: 'burn' }, audio_only: true })).toThrow(
      /^settings\["video\/clip-near"\]\.captions.*audio_only/,
    )
    expect(() => check({ captions: { as: 'burn' } }, getChain('find-funny-clips'))).toThrow(/send job_id/)
  })

  it('refuses a result without a match, and settings without a query', () => {
    expect(() => clipsOf([])).toThrow(nothing(/Nothing that is said matches "thank you"\. Send other queries/))
    expect(chain.validate?.(settings)).toBeUndefined()
    for (const given of [{}, { 'audio/find-words': {} }, { 'audio/find-words': { queries: [] } }])
      expect(chain.validate?.(given)).toContain('queries')
  })

  it.each([
    [3600, { before_seconds: 5, after_seconds: 2 }, 20 * 11_000],
    [5, { before_seconds: 5, after_seconds: 2 }, 20 * 5_000],
    [1.5, { before_seconds: 0, after_seconds: 1, snap: 'none' }, 20 * 1_000],
  ])('is priced for as many clips as one job can cut of %d s', (mediaSeconds, asked, milliseconds) => {
    const price = maxStepPrice(chain, 'video/clip-near', {
      ...{ window: wholeMedia, mediaSeconds, settings: parseSettings(liveEndpoint('video/clip-near'), asked) },
    })
    expect(price?.billableMilliseconds).toBe(milliseconds)
  })
})

describe('find-funny-clips', () => {
  const chain = getChain('find-funny-clips')
  const laughter = {
    id: 'job_a',
    window: wholeMedia,
    settings: {},
    result: {
      segments: [
        { start: 30, end: 31 },
        { start: 32, end: 33 },
        { start: 60, end: 62 },
      ],
    },
  }
  const silence = { id: 'job_b', window: wholeMedia, settings: {}, result: {} }
  const ask = (position: number, given: object, earlier: object) =>
    stepRequest(chain, { position, window, settings: settingsByStep.parse(given), earlier: { ...earlier } })

  it('says in which order it looks, and that a laugh is needed', () => {
    expect(chain.summary).toMatch(
      /^Find laughter\. Only if there is any, find the silences, .* one clip around each laugh/,
    )
  })

  it('cuts a clip around each laugh, with what led to it', () => {
    const found = { 'audio/detect-laughter': laughter, 'audio/detect-silence': silence }
    expect(ask(1, {}, found)?.settings).toMatchObject({ threshold: 'auto' })
    expect(ask(2, {}, found)?.settings).toMatchObject({ moments: [30, 60], before_seconds: 10, after_seconds: 5 })
    const given = { 'video/clip-near': { before_seconds: 2, after_seconds: 3 } }
    expect(ask(2, given, found)?.settings).toMatchObject({ moments: [30, 32, 60], before_seconds: 2 })
  })

  it('cuts where it is as quiet as in the silences that were found, unless the caller sets a level', () => {
    const heard = { ...silence, result: { threshold_db: -58.2 } }
    const found = { 'audio/detect-laughter': laughter, 'audio/detect-silence': heard }
    expect(ask(2, {}, found)?.settings).toMatchObject({ quiet_threshold: -58.2 })
    const given = { 'video/clip-near': { quiet_threshold: -40 } }
    expect(ask(2, given, found)?.settings).toMatchObject({ quiet_threshold: -40 })
  })

  it('ends before the silences are looked for, and charged, if there is no laughter, and says which score none had', () => {
    const silent = { ...laughter, settings: { threshold: 0.4 }, result: { segments: [] } }
    const message = nothing(/a score of 0\.4 or more\. Lower its threshold/)
    expect(() => ask(1, {}, { 'audio/detect-laughter': silent })).toThrow(message)
    const found = { 'audio/detect-laughter': silent, 'audio/detect-silence': silence }
    expect(() => ask(2, {}, found)).toThrow(message)
  })

  it('names the result that is missing where it is continued step by step', () => {
    expect(() => ask(2, {}, { 'audio/detect-silence': silence })).toThrow('audio/detect-laughter')
  })
})
