import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../src/core/nearest-names.ts'

const names = [
  'media_url',
  'start',
  'end',
  'settings',
  'threshold',
  'quiet_threshold',
  'max_price_usd',
  'expires_at',
  'queries',
]

describe('the nearest name', () => {
  it.each([
    ['treshold', 'threshold'],
    ['thresholds', 'threshold'],
    ['query', 'queries'],
    ['start_time', 'start'],
    ['startTime', 'start'],
    ['end-time', 'end'],
    ['mediaUrl', 'media_url'],
    ['media', 'media_url'],
    ['url', 'media_url'],
    ['max_price', 'max_price_usd'],
    ['expires', 'expires_at'],
    ['quietThreshold', 'quiet_threshold'],
    ['QUIET_TRESHOLD', 'quiet_threshold'],
    ['edn', 'end'],
    ['strat', 'start'],
    ['en', 'end'],
    ['st', 'start'],
    ['endd', 'end'],
    ['staart', 'start'],
    ['endtime', 'end'],
    ['startSeconds', 'start'],
    ['quiet_thr', 'quiet_threshold'],
    ['thres', 'threshold'],
    ['in', 'start'],
    ['from_seconds', 'start'],
    ['begining', 'start'],
    ['out', 'end'],
    ['to', 'end'],
    ['til', 'end'],
    ['stopp', 'end'],
    ['dur', 'end'],
    ['duration', 'end'],
    ['durration', 'end'],
    ['duraton', 'end'],
    ['duration_seconds', 'end'],
    ['clipLength', 'end'],
    ['lenght', 'end'],
    ['max_prize_usd', 'max_price_usd'],
    ['maxprice', 'max_price_usd'],
    ['max_cost', 'max_price_usd'],
    ['budget_usd', 'max_price_usd'],
    ['price_limit', 'max_price_usd'],
    ['price_cap', 'max_price_usd'],
    ['cap_usd', 'max_price_usd'],
    ['window', 'end'],
    ['range', 'end'],
    ['limit_seconds', 'end'],
    ['seconds', 'end'],
    ['t', 'end'],
    ['e', 'end'],
    ['s', 'start'],
    ['ss', 'start'],
    ['options', 'settings'],
    ['noise', 'threshold'],
    ['params', 'settings'],
  ])('of %s is %s', (given, meant) => {
    expect(nearestNames(given, names)).toEqual([meant])
  })

  it.each([
    'tag',
    'x',
    'id',
    'fo',
    '',
    '_',
    'note',
    'step',
    'form',
    'frame',
    'token',
    'total',
    'title',
    'input',
    'output',
    'fade_out',
    'min_length',
    'rotation',
    'location',
    'lang',
    'caption',
    'winner',
    'colour',
    'customer_reference',
    'project',
    'a'.repeat(10_000),
    '__proto__',
  ])('of %s is none', (given) => {
    expect(nearestNames(given, names)).toEqual([])
  })

  it('of duration is each bound that it can mean', () => {
    expect(nearestNames('duration', ['start', 'end', 'media_seconds'])).toEqual(['end', 'media_seconds'])
    expect(nearestNames('run_id', ['job_id', 'wait_seconds'])).toEqual(['job_id'])
  })
})
