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
