import { setTimeout as sleep } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, it } from 'vitest'
import { lateHeartbeat, whileBeating, withinTime } from '../../../activities/worker/run-activity.ts'
import { ServiceError } from '../../../src/core/errors.ts'

/** Ends only with the signal. */
const endless = (signal: AbortSignal) => sleep(60_000, undefined, { signal })
/** An attempt that Temporal would end soon. */
const attempt = (info: object = {}) => new MockActivityEnvironment({ startToCloseTimeoutMs: 30_100, ...info })
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

describe('an attempt whose time is over', () => {
  const tooLate = () => withinTime(() => whileBeating(endless))

  it('ends itself with timed_out, and is tried once more', async () => {
    const error = await failureOf(attempt().run(tooLate))
    if (!(error instanceof ServiceError)) throw error
    expect(error.code).toBe('timed_out')
    expect([1, 2].map((number) => error.isRetriedAfter(number))).toEqual([true, false])
  })

  it('says in its heartbeats that it has not ended', async () => {
    const environment = attempt()
    const beats: unknown[] = []
    environment.on('heartbeat', (details: unknown) => beats.push(details))
    await environment.run(() => withinTime(() => whileBeating(() => sleep(1_100))))
    expect(beats).toEqual([lateHeartbeat])
  })

  it('is not tried a third time, although it did not end itself', async () => {
    const next = (number: number, heartbeatDetails: unknown) =>
      failureOf(attempt({ attempt: number, heartbeatDetails }).run(() => withinTime(async () => 'done')))
    expect(await next(3, lateHeartbeat)).toMatchObject({ code: 'timed_out' })
    expect([await next(2, lateHeartbeat), await next(3, 0.5)]).toEqual(['done', 'done'])
  })

  it('was canceled if that was what ended it', async () => {
    const environment = attempt()
    const canceled = failureOf(environment.run(tooLate))
    environment.cancel()
    expect(await canceled).not.toBeInstanceOf(ServiceError)
  })
})

it('other results and errors pass', async () => {
  const damaged = new ServiceError('processing_failed')
  await expect(attempt().run(() => withinTime(() => Promise.reject(damaged)))).rejects.toBe(damaged)
  expect(await attempt({ startToCloseTimeoutMs: 25_000 }).run(() => withinTime(async () => 'done'))).toBe('done')
})
