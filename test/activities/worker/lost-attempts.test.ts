import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { boundLostAttempts, type OpenAttempts } from '../../../activities/worker/lost-attempts.ts'

const logged = vi.fn()
const deps = { logger: pino({ level: 'error' }, { write: logged }) }

afterEach(() => {
  logged.mockClear()
})

function bound(attempts: OpenAttempts, work: () => Promise<string>): Promise<string> {
  return new MockActivityEnvironment().run(() => boundLostAttempts(deps, attempts, work, 5))
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

it('closes the attempts of outages of the database afterwards, and does not count them as lost', async () => {
  let opened = 0
  let isDown = false
  const reach = async (change: number) => {
    if (isDown) throw new Error('Connection terminated unexpectedly')
    opened += change
  }
  const attempt = {
    jobId: 'job_c',
    open: async () => {
      await reach(1)
      return opened - 1
    },
    close: () => reach(-1),
  }
  const losesDatabase = async () => {
    isDown = true
    throw new Error('no database')
  }
  for (let outage = 0; outage < 3; outage += 1) {
    await expect(bound(attempt, losesDatabase)).rejects.toThrow('no database')
    isDown = false
  }
  expect(await bound(attempt, async () => 'done')).toBe('done')
  await vi.waitFor(() => expect(opened).toBe(0))
})
