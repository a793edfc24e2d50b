import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/core/input-problems.ts'

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
    ['startSeconds', 'start'],
    ['quiet_thr', 'quiet_threshold'],
    ['thres', 'threshold'],
    ['max_prize_usd', 'max_price_usd'],
    ['maxprice', 'max_price_usd'],
  ])('of %s is %s', (given, meant) => {
    expect(nearestName(given, names)).toBe(meant)
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
    expect(nearestName(given, names)).toBeUndefined()
  })
})
