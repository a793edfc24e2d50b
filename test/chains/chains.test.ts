import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkStep, maxStepPrice } from '../../api/runs/plan.ts'
import { chains, getChain, isLiveChain, missingSteps } from '../../src/chains/chains.ts'
import { clipRanges } from '../../src/chains/earlier-jobs.ts'
import { settingsByStep, stepJobId, stepRequest } from '../../src/chains/step-request.ts'
import { isId } from '../../src/core/ids.ts'
import { type Segment, subtract } from '../../src/core/segments.ts'
import { findEndpoint, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { parseSettings, wholeMedia } from '../../src/endpoints/parse-settings.ts'
import { resolvePauses } from '../../src/endpoints/timeline-suggest-ranges/pauses.ts'

const window = { startSeconds: 1, endSeconds: 9 }

const nothing = (message: RegExp) =>
  expect.objectContaining({ code: 'nothing_found', message: expect.stringMatching(message) })

describe('the recommended chains', () => {
  it('have endpoints of the catalog as steps', () => {
    for (const id of chains.flatMap(({ steps }) => steps)) expect(findEndpoint(id)?.id).toBe(id)
  })

  it('list missing endpoints, and set inputs for all steps except the first', () => {
    expect(chains.filter((chain) => isLiveChain(chain, new Set()))).toContain(getChain('remove-dead-space'))
    for (const { inputsFrom, steps } of chains) expect(Object.keys(inputsFrom)).toEqual(steps.slice(1))
    expect(missingSteps(getChain('searchable-media-memory'), new Set())).toEqual([
      'audio/semantic-chunks',
      'video/text-frames',
    ])
  })

  it.each(chains)('$id: each step accepts what the chain fills in', (chain) => {
    for (const id of chain.steps) expect(checkStep(chain, id, { settings: chain.example ?? {} }).endpoint.id).toBe(id)
  })

  it.each([
    ['find-highlights', 'audio/detect-energy', { threshold: -40, quiet_threshold: -20 }, /quiet_threshold is louder/],
    ['find-exact-words', 'video/clip-near', { before_seconds: 0, after_seconds: 0 }, /are both 0/],
    ['find-funny-clips', 'video/clip-near', { before_seconds: 0, after_seconds: 0 }, /are both 0/],
    ['find-highlights', 'video/clip-window', { captions: {}, mode: 'copy', loudness: -16 }, /loudness needs sound/],
    ['clean-speech', 'video/clip-window', { captions: { as: 'burn' }, audio_only: true }, /audio_only leaves out/],
    ['remove-dead-space', 'video/clip-window', { captions: {} }, /send job_id/],
    ['pick-thumbnails', 'video/thumbnail-score', { upload_ids: ['upl_a'] }, /is set by the chain/],
    [
      'searchable-media-memory',
      'timeline/merge',
      { recordings: [{ synced: true, confidence: 1 }] },
      /1 entries for 2 timelines/,
    ],
  ])('%s refuses at its start what %s would refuse after others are charged: %j', (id, step, given, refusal) => {
    const settings = { ...getChain(id).example, ...settingsByStep.parse({ [step]: given }) }
    expect(() => checkStep(getChain(id), step, { settings })).toThrow(refusal)
  })

  it('with another id are not found', () => {
    expect(() => getChain('make-coffee')).toThrow('Unknown chain')
  })
})

describe('remove-dead-space', () => {
  const settings = settingsByStep.parse({
    'audio/detect-silence': { threshold: -40 },
    'timeline/suggest-ranges': { padding_seconds: 0.1 },
    'video/clip-window': { quality: 'fast' },
  })
  const ask = (position: number, result?: unknown) => {
    const chain = getChain('remove-dead-space')
    const earlier = { [chain.steps[position - 1] ?? 'none']: { id: 'job_a', window: wholeMedia, settings: {}, result } }
    return stepRequest(chain, { position, window, settings, earlier })
  }

  it('analyses the window first, then uses the result of each step', () => {
    expect(ask(0)).toMatchObject({ window, settings: { threshold: -40, min_silence_seconds: 0.5 } })
    expect(ask(1, {})).toMatchObject({ window: wholeMedia, settings: { job_id: 'job_a', padding_seconds: 0.1 } })
    const ranges = [{ start: 1, end: 2, duration: 1 }]
    expect(ask(2, { media_seconds: 3, ranges, saved_seconds: 2 })).toMatchObject({
      settings: { ranges: [{ start: 1, end: 2 }], quality: 'fast', join: true },
    })
    expect(ask(3, {})).toBeUndefined()
  })

  it.each([
    [{}, 'without-pauses'],
    [{ padding_seconds: 0.1 }, 'without-pauses'],
    [{ max_pause_seconds: 0 }, 'without-pauses'],
    [{ preset: 'tight' }, 'tight-pauses'],
    [{ preset: 'gentle', max_pause_seconds: 0.4 }, 'pauses-of-0.4s'],
  ])('with %j calls its file %s', (suggesting, label) => {
    const given = settingsByStep.parse({ 'timeline/suggest-ranges': suggesting })
    expect(getChain('remove-dead-space').outputLabel?.(given)).toBe(label)
  })

  it.each([
    [{ preset: 'tight' }, {}, 0.25],
    [{ preset: 'gentle', max_pause_seconds: 0.4 }, {}, 0.4],
    [{ max_pause_seconds: 2 }, {}, 0.5],
    [{ max_pause_seconds: 0 }, {}, 0.01],
    [{ preset: 'tight' }, { min_silence_seconds: 0.7 }, 0.7],
    [{ margin_seconds: 0.1 }, {}, 0.5],
  ])('with %j and %j finds silences from %d s on', (suggesting, detecting, seconds) => {
    const given = { 'timeline/suggest-ranges': suggesting, 'audio/detect-silence': detecting }
    const step = { position: 0, window, settings: given, earlier: {} }
    expect(stepRequest(getChain('remove-dead-space'), step)).toMatchObject({
      settings: { min_silence_seconds: seconds },
    })
  })

  it('finds the silences of quiet and of noisy recordings, unless the caller sets a threshold', () => {
    const detect = (given: object) => {
      const asked = settingsByStep.parse({ 'audio/detect-silence': given })
      return stepRequest(getChain('remove-dead-space'), { position: 0, window, settings: asked, earlier: {} })?.settings
    }
    expect(detect({})).toMatchObject({ threshold: 'auto' })
    expect(detect({ threshold: -40 })).toMatchObject({ threshold: -40 })
  })

  it('tells what a run took out of its window', () => {
    const ranges = [
      { start: 1.5, end: 3 },
      { start: 4, end: 8 },
    ]
    const steps = [{ endpoint: 'timeline/suggest-ranges', result: { media_seconds: 10, ranges, saved_seconds: 4 } }]
    const { cutsOf } = getChain('remove-dead-space')
    const cuts = (run: object) => cutsOf?.({ window, given: {}, steps, ...run })
    expect(cuts({})).toEqual({ secondsIn: 8, cuts: 3 })
    expect(cuts({ window: { startSeconds: 1.4997, endSeconds: 8.0004 } })).toMatchObject({ cuts: 1 })
    expect(cuts({ steps: [] })).toBeUndefined()
  })

  it.each([
    [{}, 500],
    [{ join: false }, 100],
  ])('with %j and three pauses too many cuts %d ranges, keeps the shortest pauses, and says so', (given, max) => {
    // Each lasts a second. The first three pauses between them last 0.25 s, the others 0.5 s.
    const ranges = Array.from({ length: max + 3 }, (_range, index) => {
      const start = index * 1.5 - Math.min(index, 3) * 0.25
      return { start, end: start + 1 }
    })
    const step = { position: 2, window, settings: settingsByStep.parse({ 'video/clip-window': given }) }
    const asked = stepRequest(getChain('remove-dead-space'), {
      ...step,
      earlier: {
        'timeline/suggest-ranges': {
          id: 'job_a',
          window: wholeMedia,
          settings: {},
          result: { media_seconds: 10_000, ranges, saved_seconds: 50 },
        },
      },
    })
    expect(asked?.settings).toMatchObject({ ranges: [{ start: 0, end: 4.75 }, ...ranges.slice(4)], ...given })
    expect(asked?.settings['ranges']).toHaveLength(max)
    expect(asked?.warnings).toEqual([`One job cuts at most ${max} ranges, so the shortest pauses stay: 3 pauses.`])
    const suggested = {
      endpoint: 'timeline/suggest-ranges',
      result: { media_seconds: 10_000, ranges, saved_seconds: 50 },
    }
    const run = { window: wholeMedia, given: { 'video/clip-window': given }, steps: [suggested] }
    expect(getChain('remove-dead-space').cutsOf?.(run)).toMatchObject({ cuts: max })
  })

  it('passes the mode of its clip on', () => {
    const settings = settingsByStep.parse({ 'video/clip-window': { mode: 'smart' } })
    const ranges = [{ start: 1, end: 2 }]
    const result = { media_seconds: 3, ranges, saved_seconds: 2 }
    const earlier = { 'timeline/suggest-ranges': { id: 'job_a', window: wholeMedia, settings: {}, result } }
    const asked = stepRequest(getChain('remove-dead-space'), { position: 2, window, settings, earlier })
    expect(asked?.settings).toMatchObject({ mode: 'smart', ranges })
  })

  describe('with a cut of more than 80 % of the media', () => {
    const clipOf = (keptSeconds: number, settings: object = {}, level: object = {}) => {
      const ranges = [{ start: 1, end: 1 + keptSeconds }]
      const result = { media_seconds: 10, ranges, saved_seconds: 10 - keptSeconds }
      const earlier = {
        'audio/detect-silence': { id: 'job_a', window: wholeMedia, settings: {}, result: level },
        'timeline/suggest-ranges': { id: 'job_b', window: wholeMedia, settings, result },
      }
      return stepRequest(getChain('remove-dead-space'), { position: 2, window, settings: {}, earlier })
    }

    it('ends before the clip is charged, and says how much it would cut, at which level, and what to send', () => {
      expect(() => clipOf(0.6, {}, { threshold_db: -35 })).toThrow(
        expect.objectContaining({
          code: 'cut_too_large',
          retryable: false,
          message: expect.stringMatching(
            /94 % of the media \(9\.4 of 10 s\).* not charged.* which was -35 dBFS.*settings\["timeline\/suggest-ranges"\]\.allow_large_cuts: true.* job_b /,
          ),
        }),
      )
    })

    it('goes on if the caller allows it', () => {
      expect(clipOf(0.6, { allow_large_cuts: true })?.settings).toMatchObject({ ranges: [{ start: 1, end: 1.6 }] })
    })

    it.each([
      [2, true],
      [1.999, false],
    ])('counts what is cut: of 10 s, %d s stay', (keptSeconds, completes) => {
      const cut = () => clipOf(keptSeconds)
      if (completes) expect(cut()?.settings).toMatchObject({ ranges: [{ start: 1 }] })
      else expect(cut).toThrow('80 % of the media')
    })

    it('counts the part of the media that the run covers', () => {
      const result = { media_seconds: 3600, ranges: [{ start: 1, end: 9 }], saved_seconds: 2 }
      expect(ask(2, result)?.settings).toMatchObject({ ranges: [{ start: 1, end: 9 }] })
    })

    it('does not count ranges that are too short to be cut', () => {
      const ranges = Array.from({ length: 400 }, (_, index) => ({ start: index * 0.02, end: index * 0.02 + 0.009 }))
      const result = { media_seconds: 10, ranges: [...ranges, { start: 9, end: 10 }], saved_seconds: 5.4 }
      expect(() => ask(2, result)).toThrow(expect.objectContaining({ code: 'cut_too_large' }))
    })

    it.each(['true', 1, null])('is allowed by no %j', (allow_large_cuts) => {
      const settings = settingsByStep.parse({ 'timeline/suggest-ranges': { allow_large_cuts } })
      const earlier = { 'audio/detect-silence': { id: 'job_a', window: wholeMedia, settings: {}, result: {} } }
      expect(() => stepRequest(getChain('remove-dead-space'), { position: 1, window, settings, earlier })).toThrow()
    })

    it('is the same in clean-speech', () => {
      const result = { media_seconds: 100, ranges: [{ start: 1, end: 5 }], saved_seconds: 96 }
      const earlier = { 'timeline/suggest-ranges': { id: 'job_b', window: wholeMedia, settings: {}, result } }
      const cut = () => stepRequest(getChain('clean-speech'), { position: 2, window, settings: {}, earlier })
      expect(cut).toThrow(/96 % of the media.*keep_text is the text of this media/)
    })
  })

  it('refuses a result with nothing to keep', () => {
    expect(() => ask(2, { media_seconds: 10, ranges: [], saved_seconds: 10 })).toThrow(
      nothing(/no sound that is long and loud enough/),
    )
  })

  it('says what it does by default', () => {
    const { padding, minCutSeconds } = resolvePauses({})
    const shortened = padding.before + padding.after
    const [from, to] = [shortened + minCutSeconds, shortened].map((seconds) => Number(seconds.toFixed(3)))
    expect(getChain('remove-dead-space').summary).toContain(`at least ${from} s to ${to} s`)
  })

  describe('on media without a long pause', () => {
    const uncut = { media_seconds: 10.0004, ranges: [{ start: 0, end: 10 }], saved_seconds: 0 }
    const clipWith = (given: object, result: object = uncut) => {
      const settings = settingsByStep.parse({ 'video/clip-window': given })
      const earlier = { 'timeline/suggest-ranges': { id: 'job_a', window: wholeMedia, settings: {}, result } }
      return stepRequest(getChain('remove-dead-space'), { position: 2, window, settings, earlier })
    }

    it.each([{}, { mode: 'smart' }, { quality: 'high', join: false }, { loudness: 'keep', aspect: 'source' }])(
      'with %j makes, and charges, no copy of the media',
      (given) => {
        expect(() => clipWith(given)).toThrow(nothing(/^Nothing was removed: no pause is longer than the settings/))
      },
    )

    it.each([
      { loudness: -16 },
      { aspect: '9:16' },
      { height: 720 },
      { deinterlace: true },
      { brand: `brd_${'0'.repeat(24)}` },
      { format: 'webm' },
      { audio_only: true },
      { captions: { job_id: 'job_0123456789abcdefghijklmn' } },
    ])('with %j makes the file that was asked for, and says that nothing was removed', (given) => {
      const asked = clipWith(given)
      expect(asked?.settings).toMatchObject({ ...given, ranges: uncut.ranges })
      expect(asked?.warnings).toEqual([expect.stringMatching(/^Nothing was removed/)])
    })

    it('makes a file of a window, which is no copy of the media', () => {
      const part = { media_seconds: 10, ranges: [{ start: 1, end: 9 }], saved_seconds: 0 }
      expect(clipWith({}, part)).toMatchObject({
        settings: { ranges: part.ranges },
        warnings: [expect.stringMatching(/^Nothing was removed/)],
      })
      const cut = { media_seconds: 10, ranges: [{ start: 1, end: 9 }], saved_seconds: 2 }
      expect(clipWith({}, cut)).toMatchObject({ settings: { ranges: cut.ranges }, warnings: [] })
    })
  })
})

describe('clean-speech', () => {
  const chain = getChain('clean-speech')
  const ask = (position: number, suggesting: object | undefined, result: object = {}) => {
    const settings = settingsByStep.parse(suggesting ? { 'timeline/suggest-ranges': suggesting } : {})
    const earlier = { [chain.steps[position - 1] ?? 'none']: { id: 'job_a', window: wholeMedia, settings: {}, result } }
    return stepRequest(chain, { position, window, settings, earlier })
  }

  it('hears the window, then cuts the usual fillers and repeats, unless the caller says what to cut', () => {
    expect(ask(0, undefined)).toMatchObject({ window, settings: { queries: [] } })
    const usual = { job_id: 'job_a', remove_words: expect.arrayContaining(['um', 'uh']), remove_repeats: true }
    expect(ask(1, undefined)).toMatchObject({ window: wholeMedia, settings: usual })
    const said = { remove_words: ['you know'] }
    expect(ask(1, said)?.settings).toMatchObject({ job_id: 'job_a', ...said, remove_repeats: false })
    expect(ask(1, { keep_text: 'Hello.' })?.settings).toMatchObject({ remove_words: [], remove_repeats: false })
  })

  it('makes one file of what stays, and says what the run took out', () => {
    const ranges = [
      { start: 1, end: 3 },
      { start: 4, end: 9 },
    ]
    const found = {
      media_seconds: 10,
      saved_seconds: 1,
      ranges,
      cuts: [{ start: 3, end: 4, text: 'um', reason: 'word' }],
    }
    expect(ask(2, undefined, found)?.settings).toMatchObject({ ranges, join: true })
    const steps = [{ endpoint: 'timeline/suggest-ranges', result: found }]
    expect(chain.cutsOf?.({ window, given: {}, steps })).toEqual({ secondsIn: 8, cuts: 1 })
    expect(chain.outputLabel?.({})).toBe('clean-speech')
  })

  it('has captions of the transcript that it cut', () => {
    const settings = settingsByStep.parse({ 'video/clip-window': { captions: { as: 'sidecar' } } })
    const result = { media_seconds: 9, saved_seconds: 7, ranges: [{ start: 1, end: 3 }], cuts: [{}] }
    const earlier = {
      'audio/find-words': { id: 'job_a', window: wholeMedia, settings: {}, result: {} },
      'timeline/suggest-ranges': { id: 'job_b', window: wholeMedia, settings: {}, result },
    }
    expect(checkStep(chain, 'video/clip-window', { settings }).endpoint.id).toBe('video/clip-window')
    const asked = stepRequest(chain, { position: 2, window, settings, earlier })
    expect(asked?.settings).toMatchObject({ captions: { as: 'sidecar', job_id: 'job_a' } })
  })

  it('refuses to render what nothing was cut from, or nothing is left of', () => {
    const found = { media_seconds: 10, ranges: [{ start: 0, end: 10 }], saved_seconds: 0 }
    expect(() => ask(2, undefined, { ...found, cuts: [] })).toThrow(nothing(/Nothing was cut/))
    expect(() => ask(2, undefined, { ...found, ranges: [], saved_seconds: 10, cuts: [{}] })).toThrow(
      nothing(/leave nothing/),
    )
  })

  it.each([
    [{}, undefined],
    [{ remove_words: ['um'] }, undefined],
    [{ remove_words: [] }, 'send remove_words, remove_repeats or keep_text'],
    [{ remove_words: [], remove_repeats: false }, 'send remove_words, remove_repeats or keep_text'],
  ])('with %j is refused by %j', (suggesting, message) => {
    const refusal = chain.validate?.(settingsByStep.parse({ 'timeline/suggest-ranges': suggesting }))
    expect(refusal).toEqual(message === undefined ? undefined : expect.stringContaining(message))
  })
})

describe('searchable-media-memory', () => {
  const chain = getChain('searchable-media-memory')
  const ask = (position: number, earlier: object = {}) =>
    stepRequest(chain, { position, window, settings: {}, earlier: { ...earlier } })

  it('looks at the window of the run in both finders, and lists what both found in the order of time', () => {
    const [chunks, text] = ['job_a', 'job_b'].map((id) => ({ id, window: wholeMedia, settings: {}, result: {} }))
    const found = { 'audio/semantic-chunks': chunks, 'video/text-frames': text }
    expect([ask(0)?.window, ask(1, found)?.window]).toEqual([window, window])
    expect(ask(2, found)).toMatchObject({
      window: wholeMedia,
      settings: { job_ids: ['job_a', 'job_b'], mode: 'interleave' },
    })
    expect(() => ask(2, { 'video/text-frames': text })).toThrow('audio/semantic-chunks')
  })

  it('splits at every change of topic, unless the caller sets a length or a number', () => {
    const mostOf = (settings: object) =>
      stepRequest(chain, {
        ...{ position: 0, window, earlier: {} },
        settings: settingsByStep.parse({ 'audio/semantic-chunks': settings }),
      })?.settings['max_chapters']
    expect([{}, { target_seconds: 60 }, { max_chapters: 5 }].map(mostOf)).toEqual([100, undefined, 5])
  })
})

describe('pick-thumbnails', () => {
  const chain = getChain('pick-thumbnails')
  const ask = (frames: readonly object[]) =>
    stepRequest(chain, {
      ...{ position: 1, window, settings: { 'video/thumbnail-score': { crops: ['1:1'] } } },
      earlier: { 'video/best-frames': { id: 'job_a', window: wholeMedia, settings: {}, result: { frames } } },
    })

  it('scores the frames of the first step, with the crops of the caller', () => {
    expect(ask([{ time: 3 }])).toMatchObject({ settings: { job_id: 'job_a', crops: ['1:1'] }, window: wholeMedia })
  })

  it('refuses a result without a frame', () => {
    expect(() => ask([])).toThrow(nothing(/no frame that is sharp/))
  })

  it('is priced for as many frames as one job picks', () => {
    const settings = parseSettings(liveEndpoint('video/thumbnail-score'), {})
    const price = maxStepPrice(chain, 'video/thumbnail-score', { window: wholeMedia, mediaSeconds: 3600, settings })
    expect(price).toEqual({ microUsd: 20_000n, billableMilliseconds: 20_000 })
  })
})

it('ranges for a clip cover everything that can be cut, in at most the ranges of one job', () => {
  const lists = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 10, max: 200 })), { maxLength: 700 })
    .map((steps) => {
      let at = 0
      return steps.map(([gap, length]): Segment => {
        const start = at + gap
        at = start + length
        return { start: start / 1000, end: at / 1000 }
      })
    })
  fc.assert(
    fc.property(lists, fc.boolean(), (ranges, join) => {
      const max = join ? 500 : 100
      const { ranges: taken } = clipRanges(ranges, { join })
      expect(taken.length).toBeLessThanOrEqual(max)
      expect(
        subtract(
          ranges.filter(({ start, end }) => end - start > 0.0105),
          taken,
        ),
      ).toEqual([])
      if (ranges.length > max) expect(taken.length).toBeGreaterThan(0)
    }),
  )
})

it('a step’s job id is always the same, and differs for each step and run', () => {
  expect(isId('job', stepJobId('run_a', 0))).toBe(true)
  expect(stepJobId('run_a', 0)).toHaveLength(28)
  expect(stepJobId('run_a', 0)).toBe(stepJobId('run_a', 0))
  expect(new Set(['run_a', 'run_b'].flatMap((run) => [0, 1].map((step) => stepJobId(run, step)))).size).toBe(4)
})
