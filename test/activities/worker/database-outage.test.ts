import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { outlastOutage } from '../../../activities/worker/run-activity.ts'

const limits = { pauseMilliseconds: 1, maxMilliseconds: 100 }
const lost = new Error('Connection terminated unexpectedly')
const fails = (error: Error) => async () => {
  throw error
}

/** A database that fails this number of pings before it answers. */
function databaseBackAfter(pings: number) {
  let left = pings
  const ping = vi.fn(async () => {
    left -= 1
    if (left >= 0) throw lost
  })
  return { ping, logger: pino({ level: 'silent' }) }
}

const inActivity = <T>(work: () => Promise<T>, environment = new MockActivityEnvironment()) => environment.run(work)

describe('an activity that loses the database', () => {
  it('fails once the database is back', async () => {
    const database = databaseBackAfter(3)
    await expect(inActivity(() => outlastOutage(database, fails(lost), limits))).rejects.toBe(lost)
    expect(database.ping).toHaveBeenCalledTimes(4)
  })

  it('is deferred by a longer outage', async () => {
    const down = databaseBackAfter(Number.POSITIVE_INFINITY)
    expect(await inActivity(() => outlastOutage(down, fails(lost), limits))).toEqual({
      deferred: 'no_database',
    })
  })

  it('stops waiting when it is canceled', async () => {
    const down = databaseBackAfter(Number.POSITIVE_INFINITY)
    const environment = new MockActivityEnvironment()
    const long = { pauseMilliseconds: 60_000, maxMilliseconds: 60_000 }
    const waiting = inActivity(() => outlastOutage(down, fails(lost), long), environment)
    await expect.poll(() => down.ping).toHaveBeenCalled()
    environment.cancel()
    await expect(waiting).rejects.toBe(lost)
  })
})

it('other results and errors pass', async () => {
  const database = databaseBackAfter(0)
  expect(await inActivity(() => outlastOutage(database, async () => 'done', limits))).toBe('done')
  const damaged = fails(new Error('damaged media'))
  await expect(inActivity(() => outlastOutage(database, damaged, limits))).rejects.toThrow('damaged')
  expect(database.ping).not.toHaveBeenCalled()
})
