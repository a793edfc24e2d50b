import { describe, expect, it } from 'vitest'
import { findTimes } from '../../src/goals/goal-times.ts'
import { withUnits } from '../../src/goals/units.ts'

describe('the text of a goal', () => {
  it.each([
    ['five minutes', '300 seconds'],
    ['twenty-five minutes', '1500 seconds'],
    ['half an hour', '1800 seconds'],
    ['an hour', '3600 seconds'],
    ['one of them', 'one of them'],
    ['a second take', 'a second take'],
    ['10-minute parts', '600 seconds parts'],
    ['2.3 min', '138 seconds'],
    ['around 1h02m', 'around 01:02:00'],
    ['minutes 3 to 5', '03:00 to 05:00'],
    ['3 to 5 minutes', '03:00 to 05:00'],
    ['at second 40', 'at 00:40'],
    ['the first 5 seconds and the last 3', 'the first 5 seconds and the last 3 seconds'],
    ['the first and the last minute', 'the first 60 seconds and the last 60 seconds'],
    ['trim 10 seconds from the end', 'trim the last 10 seconds off'],
    ['720p at 9:16', '720p at 9:16'],
    ['10 seconds before and 5 after', '10 seconds before and 5 seconds after'],
    ['2 minutes before and one minute after', '120 seconds before and 60 seconds after'],
    ['a minute before and two after', '60 seconds before and 120 seconds after'],
    ['5s before & 10 after', '5 seconds before & 10 seconds after'],
    ['10 before and 5 seconds after', '10 seconds before and 5 seconds after'],
  ])('has "%s" as "%s"', (goal, text) => {
    expect(withUnits(goal)).toBe(text)
  })

  it.each([
    ['the second half', [{ start: '<media_seconds / 2>', end: '' }]],
    ['from 10:00 to the end', [{ start: '10:00', end: '' }]],
    ['until 0:45', [{ start: '0', end: '0:45' }]],
    ['30 seconds from 1:00', [{ start: '1:00', end: '90' }]],
    ['clips up to 30 seconds', []],
    ['10 seconds before and 5 seconds after 12:34', []],
    ['10 seconds before & 5 seconds after 12:34', []],
    ['from 10 seconds before to 5 seconds after 12:34', []],
    ['5 seconds before 12:34 and 10 seconds after', []],
    ['10 seconds after 12:34', [{ start: '12:34', end: '764' }]],
    ['from 88:02 to 121:30', [{ start: '88:02', end: '121:30' }]],
  ])('"%s" names these windows', (text, windows) => {
    expect(findTimes(text).windows).toEqual(windows)
  })
})
