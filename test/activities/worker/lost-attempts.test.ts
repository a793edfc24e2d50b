import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { boundLostAttempts, type OpenAttempts } from '../../../activities/worker/lost-attempts.ts'

const logged = vi.fn()
const limits = { pauseMilliseconds: 1, maxMilliseconds: 500 }
const deps = { logger: pino({ level: 'error' }, { write: logged }) }

afterEach(() => {
  logged.mockClear()
})

function bound(attempts: OpenAttempts, work: () => Promise<string>): Promise<string> {
  return new MockActivityEnvironment().run(() => boundLostAttempts(deps, attempts, work, limits))
}

/** An attempt whose first closes fail. */
function closesAfter(failures: number, error = new Error('not a row')) {
  let left = failures
  const close = vi.fn(async () => {
    left -= 1
    if (left >= 0) throw error
  })
  return { jobId: 'job_a', open: async () => 0, close }
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
    return opened - 1
  }
  const close = async () => {
    opened -= 1
  }
  return { attempt: { jobId, open, close }, loseWorker: open }
}

it('counts the attempts of workers that were lost, and none that this process still has open', async () => {
  const { attempt, loseWorker } = countedAttempts('job_b')
  const run = (work: () => Promise<string>) => bound(attempt, work)
  await loseWorker()
  const outcomes = await run(async () => `late, ${await run(async () => 'done')}`)
  expect(outcomes).toBe('late, done')
  expect(await run(async () => 'done')).toBe('done')
  await loseWorker()
  await expect(run(async () => 'done')).rejects.toThrow('stopped twice')
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
    return opened - 1
  }
  const losesDatabase = async () => {
    triesUntilBack = 4
    throw new Error('no database')
  }
  const attempt = { jobId: 'job_c', open, close: () => reach(-1) }
  await expect(bound(attempt, losesDatabase)).rejects.toThrow('no database')
  expect(opened).toBe(0)
  expect(logged).not.toHaveBeenCalled()
})

it('gives up on the attempt of a longer outage, and logs that', async () => {
  const lasting = closesAfter(Number.POSITIVE_INFINITY, new Error('Connection terminated unexpectedly'))
  expect(await bound(lasting, async () => 'done')).toBe('done')
  expect(logged).toHaveBeenCalledOnce()
})
