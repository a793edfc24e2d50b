import { expect, it } from 'vitest'
import { createReadingPace } from '../../../api/http/responses.ts'

const checkSeconds = 2
const minute = 60
const hour = 3_600

/** After how many seconds a player loses its connection, if it has taken these bytes by then; undefined if within a day it does not. */
function closedAfter(takenBytes: (seconds: number) => number): number | undefined {
  const pace = createReadingPace()
  pace.allowPlayerPauses()
  for (let seconds = checkSeconds; seconds <= 24 * hour; seconds += checkSeconds) {
    const reading = { takenBytes: takenBytes(seconds), unreadBytes: 65_536 }
    if (pace.isTooSlow(reading, checkSeconds * 1000)) return seconds
  }
  return undefined
}

it('a client that takes 256 KiB every four minutes keeps its connection for half an hour, and no longer than an hour', () => {
  const seconds = closedAfter((at) => Math.floor(at / (4 * minute)) * 256 * 1024) ?? Number.POSITIVE_INFINITY
  expect(seconds).toBeGreaterThan(30 * minute)
  expect(seconds).toBeLessThan(hour)
})

it('a client that needs more than nine hours for a gigabyte loses its connection', () => {
  const seconds = closedAfter((at) => (at * 2 ** 30) / (9 * hour)) ?? Number.POSITIVE_INFINITY
  expect(seconds).toBeLessThan(9 * hour)
})

it.each([
  ['an hour of sound at 32 kbit/s, as it is played', 4_000, hour],
  ['100 MB over a mobile connection of 12 kB a second', 12_000, 2.4 * hour],
  ['two hours of film at 1 Mbit/s, as it is played', 125_000, 2 * hour],
])('a client reads %s', (_what, bytesPerSecond, seconds) => {
  expect(closedAfter((at) => at * bytesPerSecond) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(seconds)
})

it('what a client took of earlier responses does not count for the next', () => {
  const pace = createReadingPace()
  pace.allowPlayerPauses()
  pace.isTooSlow({ takenBytes: 2 ** 30, unreadBytes: 65_536 }, 1_000)
  expect(pace.isTooSlow({ takenBytes: 2 ** 30, unreadBytes: 0 }, hour * 1000)).toBe(false)
  let seconds = 0
  for (let takenBytes = 2 ** 30; !pace.isTooSlow({ takenBytes, unreadBytes: 65_536 }, 60_000); seconds += minute) {
    takenBytes += 65_536
  }
  expect(seconds).toBeLessThan(hour)
})
