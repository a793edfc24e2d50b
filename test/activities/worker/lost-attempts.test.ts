import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { boundLostAttempts, deferUntilTurn, type OpenAttempts } from '../../../activities/worker/lost-attempts.ts'
import { idleWatchdog } from '../../../src/watchdog/watchdog.ts'

const logged = vi.fn()
const limits = { pauseMilliseconds: 1, maxMilliseconds: 500 }
const deps = { logger: pino({ level: 'error' }, { write: logged }), watchdog: idleWatchdog }

afterEach(() => {
  logged.mockClear()
})

function bound(attempts: OpenAttempts, work: () => Promise<string>): Promise<string> {
  return new MockActivityEnvironment().run(() => boundLostAttempts(deps, attempts, work, limits))
}

const firstAttempt = { openBefore: 0, workerEnds: 0, accountEnds: 0 }

/** An attempt whose first closes fail. */
function closesAfter(failures: number, error = new Error('not a row')) {
  let left = failures
  const close = vi.fn(async () => {
    left -= 1
    if (left >= 0) throw error
  })
  return { jobId: 'job_a', open: async () => firstAttempt, findEnds: async () => firstAttempt, close }
}

it('closes an attempt in a second try', async () => {
  const attempt = closesAfter(1)
  expect(await bound(attempt, async () => 'done')).toBe('done')
  expect(attempt.close).toHaveBeenCalledTimes(2)
  expect(logged).not.toHaveBeenCalled()
})

it('keeps the outcome of the work when the attempt cannot be closed, and logs that', async () => {
  expect(await bound(closesAfter(2), async () => 'done')).toBe('done')
  const failing = async () => {
    throw new Error('damaged media')
  }
  await expect(bound(closesAfter(2), failing)).rejects.toThrow('damaged media')
  expect(logged).toHaveBeenCalledTimes(2)
  expect(logged).toHaveBeenLastCalledWith(expect.stringMatching(/"jobId":"job_a".*attempt not closed/))
})

/** Attempts of one job, counted as the database does. */
function countedAttempts(jobId: string) {
  let opened = 0
  const open = async () => {
    opened += 1
    return { ...firstAttempt, openBefore: opened - 1 }
  }
  const close = async () => {
    opened -= 1
  }
  const loseWorkers = async (count: number) => {
    opened += count
  }
  return { attempt: { jobId, open, findEnds: async () => firstAttempt, close }, loseWorkers }
}

it('ends a job at its tenth lost attempt, and counts none that this process still has open', async () => {
  const { attempt, loseWorkers } = countedAttempts('job_b')
  const run = (work: () => Promise<string>) => bound(attempt, work)
  await loseWorkers(9)
  const outcomes = await run(async () => `late, ${await run(async () => 'done')}`)
  expect(outcomes).toBe('late, done')
  expect(await run(async () => 'done')).toBe('done')
  await loseWorkers(1)
  await expect(run(async () => 'done')).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
})

it('ends a job that blocked two workers, without a third try', async () => {
  const work = vi.fn(async () => 'done')
  const after = (workerEnds: number) => ({ ...closesAfter(0), open: async () => ({ ...firstAttempt, workerEnds }) })
  expect(await bound(after(1), work)).toBe('done')
  await expect(bound(after(2), work)).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
  expect(work).toHaveBeenCalledOnce()
})

it('waits for the record of an end where the worker of the last attempt can still be blocked', async () => {
  const work = vi.fn(async () => 'done')
  const watchdog = { ...idleWatchdog, recordedWithinSeconds: 10.01 }
  const after = (openBefore: number, recorded: number) => ({
    ...closesAfter(0),
    jobId: 'job_g',
    open: async () => ({ ...firstAttempt, openBefore, workerEnds: 1 }),
    findEnds: async () => ({ ...firstAttempt, workerEnds: recorded }),
  })
  const run = (attempts: OpenAttempts) =>
    new MockActivityEnvironment().run(() => boundLostAttempts({ ...deps, watchdog }, attempts, work, limits))
  expect(await run(after(1, 2))).toBe('done')
  expect(await run(after(2, 1))).toBe('done')
  await expect(run(after(2, 2))).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
  expect(work).toHaveBeenCalledTimes(2)
})

it('runs suspects one after the other, beside other jobs and the parts of the same job', async () => {
  const history = { ...firstAttempt, workerEnds: 1 }
  const suspect = (jobId: string, part?: number) => ({
    ...{ ...closesAfter(0), jobId, open: async () => history },
    ...(part === undefined ? {} : { part }),
  })
  const deferred = (attempts: OpenAttempts) =>
    new MockActivityEnvironment().run(() => deferUntilTurn(() => boundLostAttempts(deps, attempts, async () => 'done')))
  const outcomes = await bound(suspect('job_d', 1), async () =>
    [
      await deferred(suspect('job_d', 2)),
      await deferred({ ...closesAfter(0), jobId: 'job_e' }),
      JSON.stringify(await deferred(suspect('job_f'))),
    ].join(', '),
  )
  expect(outcomes).toBe('done, done, {"deferred":"no_slot"}')
  expect(await deferred(suspect('job_f'))).toBe('done')
})

it('lets the jobs of an account wait whose jobs blocked several workers in the last hour', async () => {
  const attempts = (accountEnds: number) => ({
    ...closesAfter(0),
    open: async () => ({ ...firstAttempt, accountEnds }),
  })
  expect(await bound(attempts(3), async () => 'done')).toBe('done')
  await expect(bound(attempts(4), async () => 'done')).rejects.toThrow('blocked several workers')
})

it('closes the attempt of an outage once the database is back', async () => {
  let opened = 0
  let triesUntilBack = 0
  const reach = async (change: number) => {
    triesUntilBack -= 1
    if (triesUntilBack >= 0) throw new Error('Connection terminated unexpectedly')
    opened += change
  }
  const open = async () => {
    await reach(1)
    return { ...firstAttempt, openBefore: opened - 1 }
  }
  const losesDatabase = async () => {
    triesUntilBack = 4
    throw new Error('no database')
  }
  const attempt = { jobId: 'job_c', open, findEnds: async () => firstAttempt, close: () => reach(-1) }
  await expect(bound(attempt, losesDatabase)).rejects.toThrow('no database')
  expect(opened).toBe(0)
  expect(logged).not.toHaveBeenCalled()
})

it('gives up on the attempt of a longer outage, and logs that', async () => {
  const lasting = closesAfter(Number.POSITIVE_INFINITY, new Error('Connection terminated unexpectedly'))
  expect(await bound(lasting, async () => 'done')).toBe('done')
  expect(logged).toHaveBeenCalledOnce()
})
