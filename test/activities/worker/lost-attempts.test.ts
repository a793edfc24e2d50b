import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { boundLostAttempts } from '../../../activities/worker/lost-attempts.ts'

const logged = vi.fn()
const deps = { logger: pino({ level: 'error' }, { write: logged }) }

/** An attempt whose first closes fail. */
function closesAfter(failures: number) {
  let left = failures
  const close = vi.fn(async () => {
    left -= 1
    if (left >= 0) throw new Error('no database')
  })
  return { jobId: 'job_a', open: async () => 0, close }
}

it('closes an attempt in a second try', async () => {
  const attempt = closesAfter(1)
  expect(await boundLostAttempts(deps, attempt, async () => 'done')).toBe('done')
  expect(attempt.close).toHaveBeenCalledTimes(2)
  expect(logged).not.toHaveBeenCalled()
})

it('keeps the outcome of the work when the attempt cannot be closed, and logs that', async () => {
  expect(await boundLostAttempts(deps, closesAfter(2), async () => 'done')).toBe('done')
  const failing = async () => {
    throw new Error('damaged media')
  }
  await expect(boundLostAttempts(deps, closesAfter(2), failing)).rejects.toThrow('damaged media')
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
  const run = (work: () => Promise<string>) => boundLostAttempts(deps, attempt, work)
  await loseWorker()
  const outcomes = await run(async () => `late, ${await run(async () => 'done')}`)
  expect(outcomes).toBe('late, done')
  expect(await run(async () => 'done')).toBe('done')
  await loseWorker()
  await expect(run(async () => 'done')).rejects.toThrow('stopped twice')
})
