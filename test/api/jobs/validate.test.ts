import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateRequest } from '../../../api/jobs/estimate.ts'
import { jobRequest, validateJobRequest } from '../../../api/jobs/validate.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { endpoints, exampleOf } from '../../../src/endpoints/catalog.ts'

const silence = (fields: object = {}) => validateJobRequest({ endpoint: 'audio/detect-silence', ...fields })
const problem = (plan: () => unknown): string => {
  try {
    plan()
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

describe('validateJobRequest', () => {
  it.each(endpoints.map((endpoint) => [endpoint.id, exampleOf(endpoint)] as const))(
    'takes the example of %s',
    (id, example) => {
      const plan = validateJobRequest(example)
      expect(plan.endpoint.id).toBe(id)
      expect(plan.warnings).toEqual([])
      expect(plan.answersImmediately).toBe(true)
    },
  )

  it('fills in defaults and removes _run_on_worker', () => {
    const plan = silence({ settings: { threshold: -40, _run_on_worker: false } })
    expect(plan.answersImmediately).toBe(false)
    expect(plan.settings).toEqual({
      threshold: -40,
      min_silence_seconds: 0.5,
      min_segment_seconds: 0.1,
      padding_seconds: 0,
      audio_track: 'default',
    })
  })

  it.each([
    [
      { min_silence_seconds: 0.2 },
      'min_silence_seconds belongs inside settings: send { "settings": { "min_silence_seconds": … } }',
    ],
    [{ start_time: 5 }, 'unknown field "start_time". Did you mean start?'],
    [{ max_price: 0.01 }, 'unknown field "max_price". Did you mean max_price_usd?'],
    [
      { note: {} },
      'unknown field "note". Use endpoint, media_url, start, end, settings, metadata, callback_url, max_price_usd',
    ],
  ])('refuses %j, without which more would be processed, or other work charged', (fields, message) => {
    const { error } = jobRequest.safeParse({ endpoint: 'audio/detect-silence', ...fields })
    expect(error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  it('warns of media, and its window, where the endpoint reads none', () => {
    const request = { endpoint: 'timeline/suggest-ranges', settings: { segments: [], media_seconds: 2 }, start: 1 }
    expect(validateJobRequest(request).warnings).toEqual(['start was ignored: timeline/suggest-ranges reads no media.'])
  })

  it.each(['start', 'end', 'media_url', 'metadata'])(
    'refuses %s among the settings, which would not bound the job',
    (name) => {
      expect(problem(() => silence({ settings: { [name]: 5 } }))).toBe(
        `invalid_request: settings.${name} belongs outside settings: send { "${name}": …, "settings": … }.`,
      )
    },
  )

  it('refuses settings by endpoint, which only a run has', () => {
    expect(problem(() => silence({ settings: { 'audio/detect-silence': {} } }))).toMatch(
      /^invalid_request: settings: only a run has settings by endpoint/,
    )
  })

  it('takes the length of the media for a field of estimates, and knows a misspelt one', () => {
    const estimate = (fields: object) => estimateRequest.safeParse({ endpoint: 'audio/detect-silence', ...fields })
    expect(estimate({ media_seconds: 60 }).success).toBe(true)
    expect(estimate({ media_second: 60 }).error?.message).toContain('Did you mean media_seconds?')
  })

  it('reports each problem once, in plain words', () => {
    expect(problem(() => silence({ settings: { threshold: 'loud', min_silence_seconds: -1 } }))).toBe(
      'invalid_request: settings.threshold: expected number or auto; settings.min_silence_seconds: must be at least 0.01.',
    )
    expect(problem(() => silence({ settings: { threshold: 3 } }))).toMatch(/dBFS/)
  })

  it('names one problem of long settings, which can have one in each of 100,000 entries', () => {
    const timelines = (entries: number) => Array.from({ length: 20 }, () => ({ segments: Array(entries).fill(0) }))
    const merge = (entries: number) =>
      problem(() => validateJobRequest({ endpoint: 'timeline/merge', settings: { timelines: timelines(entries) } }))
    const first = 'invalid_request: settings.timelines[0].segments[0]: expected object, not number'
    expect(merge(6_000)).toBe(`${first}.`)
    expect(merge(2)).toMatch(`${first}; settings.timelines[0].segments[1]`)
  })

  it('lists unknown settings as warnings, at most 20 and each short', () => {
    const plan = silence({ settings: { colour: -40, 'a\u0000\ud800': { deep: [1] } } })
    expect(plan.warnings).toEqual([
      'Unknown setting "colour" was ignored.',
      String.raw`Unknown setting "a\u0000\ud800" was ignored.`,
    ])
    expect(plan.settings).not.toHaveProperty('colour')
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${'x'.repeat(500)}${index}`, 1]))
    expect(silence({ settings: many }).warnings).toHaveLength(20)
    expect(silence({ settings: many }).warnings.every((warning) => warning.length < 100)).toBe(true)
  })

  it.each([
    [{ start: 5, end: 10 }, 5, 10],
    [{ start: '00:01:30.5', end: '2:00' }, 90.5, 120],
    [{ start: '', end: ' ' }, null, null],
    [{ end: '12.5' }, null, 12.5],
  ])('reads the window %j', (fields, startSeconds, endSeconds) => {
    expect(silence(fields).window).toEqual({ startSeconds, endSeconds })
  })

  it('takes a setting of another endpoint for no misspelling', () => {
    expect(silence({ settings: { quiet_threshold: -40 } }).warnings).toEqual([
      'Unknown setting "quiet_threshold" was ignored.',
    ])
  })

  it('takes no setting of a timeline for an edge of a window, because it has none', () => {
    const request = {
      endpoint: 'timeline/suggest-ranges',
      settings: { segments: [{ start: 0, end: 1 }], media_seconds: 2, end_time: 5 },
    }
    expect(validateJobRequest(request).warnings).toEqual(['Unknown setting "end_time" was ignored.'])
  })

  it('takes start 0 of a clip as the whole media', () => {
    const { window } = validateJobRequest({
      endpoint: 'video/clip-window',
      media_url: 'https://media.example/a.mp4',
      start: 0,
    })
    expect(window).toEqual({ startSeconds: 0, endSeconds: null })
  })

  it.each([
    [{ start: 10, end: 10 }, /start is at or after end/],
    [{ start: 11, end: '00:00:10' }, /start is at or after end/],
    [{ end: 0 }, /start is at or after end/],
    [{ start: '1:75' }, /start: use seconds, .*Seconds after a colon go to 59/],
    [{ end: 'soon' }, /end: use seconds/],
    [{ settings: { threshold: 'loud' } }, /settings\.threshold: /],
    [{ settings: { threshold: -91 } }, /settings\.threshold: /],
    [{ settings: { _run_on_worker: 'yes' } }, /settings\._run_on_worker: /],
    [{ endpoint: 'video/clip-window', settings: { mode: 'quick' } }, /settings.mode/],
    [
      { endpoint: 'video/clip-window', settings: { mode: 'copy', loudness: -16 } },
      /loudness needs sound that is encoded again/,
    ],
    [{ endpoint: 'video/clip-window', settings: { mode: 'odd' } }, /settings\.mode: /],
    [{ endpoint: 'audio/detect_silence' }, /Did you mean audio\/detect-silence\?$/],
    [{ settings: { treshold: -40 } }, /Unknown setting "treshold"\. Did you mean threshold\?$/],
    [{ settings: { end_time: 5 } }, /Unknown setting "end_time"\. Did you mean end\? end belongs outside settings\.$/],
    [
      { endpoint: 'video/clip-window' },
      /Send start, end or settings\.ranges\. For the whole media, send "start": 0\.$/,
    ],
    [{ endpoint: 'video/clip-window', start: ' ' }, /Send start, end or settings\.ranges/],
    [
      { endpoint: 'video/clip-window', settings: { ranges: [{ start: 1 }] } },
      /^invalid_request: settings\.ranges\[0\]\.end: send a time, or "" for the end of the media\.$/,
    ],
    [
      { endpoint: 'video/clip-window', settings: { ranges: [{ from: 1, end: 2 }] } },
      /settings\.ranges\[0\]\.start: send a time, or "" for the start of the media\.$/,
    ],
    [
      { endpoint: 'video/clip-window', settings: { ranges: [[1, 2]] } },
      /settings\.ranges\[0\]: send an object such as \{ "start": 60, "end": "01:15" \}\.$/,
    ],
    [{ endpoint: 'video/clip-near' }, /start is required/],
    [{ endpoint: 'video/clip-near', start: 5, end: 1 }, /does not use end/],
    [{ endpoint: 'video/nothing' }, /endpoint: unknown endpoint "video\/nothing"\. Use video\/clip-window, /],
  ])('400 invalid_request for %j', (fields, message) => {
    const text = problem(() => silence(fields))
    expect(text).toMatch(/^invalid_request: /)
    expect(text).toMatch(message)
  })

  it('501 endpoint_unavailable, with the command that helps, where its models are not installed', () => {
    const request = { endpoint: 'audio/find-words' }
    expect(problem(() => validateJobRequest(request, new Set(['voice-activity'])))).toMatch(
      /^endpoint_unavailable: .*npm run models -- fetch$/,
    )
    expect(validateJobRequest(request).endpoint.id).toBe('audio/find-words')
  })

  it('accepts or refuses any settings, and fails in no other way', () => {
    const request = fc.record({
      endpoint: fc.constantFrom(...endpoints.map(({ id }) => id)),
      start: fc.option(fc.oneof(fc.double({ min: 0, max: 999_999_999, noNaN: true }), fc.string({ maxLength: 32 })), {
        nil: undefined,
      }),
      end: fc.option(fc.oneof(fc.double({ min: 0, max: 999_999_999, noNaN: true }), fc.string({ maxLength: 32 })), {
        nil: undefined,
      }),
      settings: fc.dictionary(
        fc.oneof(
          fc.constantFrom('threshold', 'mode', 'format', 'moments', 'before_seconds', '_run_on_worker'),
          fc.string(),
        ),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    })
    fc.assert(
      fc.property(request, (body) => void problem(() => validateJobRequest(body))),
      { numRuns: 500 },
    )
  })
})
