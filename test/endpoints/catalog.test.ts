import { existsSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JobWindow } from '../../src/core/segments.ts'
import {
  endpoints,
  endpointsWith,
  exportListNames,
  exportNounsOf,
  findEndpoint,
  liveEndpoint,
} from '../../src/endpoints/catalog.ts'
import type { ModelName } from '../../src/models/models.ts'

const sources = new URL('../../src/endpoints/', import.meta.url)
const everyEndpoint = endpoints.map((endpoint) => [endpoint.id, endpoint] as const)
const wholeMedia: JobWindow = { startSeconds: null, endSeconds: null }

describe('the catalog', () => {
  it('has every folder of endpoints in its list', () => {
    const folders = readdirSync(sources, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).toSorted()).toEqual(
      endpoints.map(({ id }) => id.replace('/', '-')).toSorted(),
    )
  })

  it('finds endpoints by their id', () => {
    expect(findEndpoint('video/best-frames')?.id).toBe('video/best-frames')
    expect(findEndpoint('audio/unheard-of')).toBeUndefined()
    expect(liveEndpoint('video/clip-near').id).toBe('video/clip-near')
    expect(() => liveEndpoint('audio/unheard-of')).toThrow(TypeError)
  })

  it('has an endpoint as a preview where one of its models is not installed', () => {
    const stageWith = (...models: ModelName[]) =>
      endpointsWith(new Set(models)).find(({ id }) => id === 'audio/find-words')?.stage
    expect(stageWith('voice-activity', 'transcribe')).toBe('live')
    expect(stageWith('voice-activity')).toBe('preview')
    const withoutModels = endpoints.filter((endpoint) => !endpoint.readsMedia || endpoint.models.length === 0)
    expect(endpointsWith(new Set()).filter(({ stage }) => stage === 'live')).toEqual(withoutModels)
  })

  it('has the groups of the ids, and summaries in whole sentences', () => {
    for (const { id, group, summary } of endpoints) {
      expect(id.split('/')[0]).toBe(group)
      expect(summary).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe.each(everyEndpoint)('%s', (id, endpoint) => {
  it('has its implementation beside its declaration', () => {
    expect(existsSync(new URL(`${id.replace('/', '-')}/run.ts`, sources))).toBe(true)
  })

  it('requires no setting', () => {
    expect(endpoint.settings.safeParse({}).success).toBe(true)
  })

  it('has a worked example that it accepts and can price', () => {
    const { start, end, settings } = endpoint.example
    const window = { startSeconds: start === undefined ? null : 12.5, endSeconds: end === undefined ? null : 20 }
    const parsed = endpoint.settings.parse(settings)
    expect(Object.keys(settings).filter((name) => !(name in endpoint.settings.shape))).toEqual([])
    expect(endpoint.validate(window, parsed)).toBeUndefined()
    expect(Number(endpoint.billableMilliseconds(window, parsed, 60)) > 0).toBe(endpoint.price.unit !== 'free')
  })

  it('names the lists of its result that have times, in the order in which documents name lists', () => {
    const { transcript } = endpoint.result.shape
    const lists = { ...endpoint.result.shape, ...(transcript instanceof z.ZodObject ? transcript.shape : {}) }
    const named = Object.keys(exportNounsOf(id))
    expect(named.filter((name) => !(name in lists))).toEqual([])
    expect(named).toEqual(exportListNames.filter((name) => named.includes(name)))
  })

  it('bills whole milliseconds, and never more once the length is known', () => {
    const seconds = fc.integer({ min: 0, max: 7_200_000 }).map((milliseconds) => milliseconds / 1000)
    fc.assert(
      fc.property(seconds, seconds, seconds, (start, length, mediaSeconds) => {
        fc.pre(start < mediaSeconds)
        const window = { startSeconds: start, endSeconds: id === 'video/clip-near' ? null : start + length }
        const before = endpoint.billableMilliseconds(window, {}, undefined)
        const after = endpoint.billableMilliseconds(window, {}, mediaSeconds)
        expect(Number.isSafeInteger(after) && Number(after) >= 0).toBe(true)
        if (before !== undefined) expect(after).toBeLessThanOrEqual(before)
      }),
    )
  })
})

describe('the maximum that can be billed', () => {
  const withOwnRule = ['video/clip-near', 'video/thumbnail-score']
  const ofTheWindow = endpoints.filter(({ id, readsMedia }) => readsMedia && !withOwnRule.includes(id))

  it.each(ofTheWindow)('$id: the window, and the whole media without one', ({ billableMilliseconds }) => {
    expect(billableMilliseconds(wholeMedia, {}, undefined)).toBeUndefined()
    expect(billableMilliseconds(wholeMedia, {}, 73.0004)).toBe(73_001)
    expect(billableMilliseconds({ startSeconds: 10, endSeconds: 20 }, {}, undefined)).toBe(10_000)
    expect(billableMilliseconds({ startSeconds: 10, endSeconds: null }, {}, 15)).toBe(5_000)
  })

  it('video/clip-near: the widest clip that snapping can choose, for each moment', () => {
    const { billableMilliseconds } = liveEndpoint('video/clip-near')
    const moment = { startSeconds: 30, endSeconds: null }
    expect(billableMilliseconds(moment, { snap: 'none' }, undefined)).toBe(10_000)
    expect(billableMilliseconds(moment, {}, undefined)).toBe(14_000)
    expect(billableMilliseconds(moment, { snap: 'none' }, 32)).toBe(7_000)
    expect(billableMilliseconds(wholeMedia, { moments: [10, '01:00'], snap: 'none' }, undefined)).toBe(20_000)
  })
})

describe('a moment past the end of the media', () => {
  it.each([
    ['start', { startSeconds: 75, endSeconds: null }, {}],
    ['settings.moments', wholeMedia, { moments: [10, 75] }],
  ])('in %s is refused before anything is held', (_where, window, settings) => {
    const { billableMilliseconds } = liveEndpoint('video/clip-near')
    expect(() => billableMilliseconds(window, settings, 73)).toThrow(
      'moment 75 is past the end of the media (73.000 s)',
    )
  })
})

describe('settings that contradict each other', () => {
  it('audio/detect-energy refuses a quiet_threshold above the threshold, in either scale', () => {
    const { validate } = liveEndpoint('audio/detect-energy')
    expect(validate(wholeMedia, { threshold: -30, quiet_threshold: -20 })).toContain('quiet_threshold')
    expect(validate(wholeMedia, { threshold: -30, quiet_threshold: 0.5 })).toContain('quiet_threshold')
    expect(validate(wholeMedia, { threshold: 0.5, quiet_threshold: -20 })).toBeUndefined()
  })

  it('audio/semantic-chunks refuses a target below the shortest chunk', () => {
    const { validate } = liveEndpoint('audio/semantic-chunks')
    expect(validate(wholeMedia, { target_seconds: 8 })).toContain('min_seconds')
    expect(validate(wholeMedia, { target_seconds: 8, min_seconds: 8 })).toBeUndefined()
  })

  it.each([
    ['no moment', wholeMedia, {}, 'start is required'],
    ['an end', { startSeconds: 1, endSeconds: 2 }, {}, 'after_seconds'],
    ['start and moments', { startSeconds: 1, endSeconds: null }, { moments: [2] }, 'not both'],
    ['nothing around it', { startSeconds: 1, endSeconds: null }, { before_seconds: 0, after_seconds: 0 }, 'both 0'],
  ])('video/clip-near refuses %s', (_what, window, settings, hint) => {
    expect(liveEndpoint('video/clip-near').validate(window, settings)).toContain(hint)
  })

  it.each([
    ['audio/detect-silence', { threshold: -90.1 }],
    ['audio/detect-silence', { threshold: 1.1 }],
    ['audio/detect-silence', { threshold: '-35' }],
    ['audio/detect-silence', { min_silence_seconds: 0 }],
    ['audio/detect-silence', { padding_seconds: -1 }],
    ['audio/detect-silence', { audio_track: 'first' }],
    ['audio/detect-energy', { window_seconds: 0 }],
    ['video/best-frames', { count: 0 }],
    ['video/best-frames', { count: 21 }],
    ['video/thumbnail-score', { times: [] }],
    ['video/thumbnail-score', { job_id: 'talk' }],
    ['video/thumbnail-score', { upload_ids: ['talk'] }],
    ['video/thumbnail-score', { times: [1], crops: ['4:3'] }],
    ['audio/find-words', { queries: [' '] }],
    ['audio/find-words', { match: 'regex' }],
    ['audio/find-words', { language: 'de' }],
    ['audio/find-words', { audio_track: 'all' }],
    ['audio/semantic-chunks', { target_seconds: 4 }],
    ['audio/semantic-chunks', { min_seconds: -1 }],
    ['audio/semantic-chunks', { audio_track: 'all' }],
    ['video/text-frames', { region: { x: 0, y: 0, width: 1.5, height: 1 } }],
    ['video/text-frames', { region: { x: 0, y: 0, width: 1 } }],
    ['video/text-frames', { min_confidence: 2 }],
    ['video/clip-window', { format: 'avi' }],
    ['video/clip-window', { audio_fade_ms: -5 }],
    ['video/clip-near', { moments: [] }],
    ['video/clip-near', { moments: Array(21).fill(1) }],
    ['video/clip-near', { snap: 'beat' }],
  ])('%s refuses %j', (id, settings) => {
    expect(liveEndpoint(id).settings.safeParse(settings).success).toBe(false)
  })
})
