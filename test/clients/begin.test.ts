import { expect, it, onTestFinished, vi } from 'vitest'
import { begin } from '../../clients/typescript/src/cli/begin.ts'
import { createOutput } from '../../clients/typescript/src/cli/output.ts'
import { ApiError } from '../../clients/typescript/src/index.ts'
import { written } from './commands.ts'

const busy = (retryAfterSeconds?: number) =>
  new ApiError(
    'Reading the media took more than 25 seconds. Try again after the number of seconds in Retry-After, or send media_seconds.',
    {
      ...{ status: 503, code: 'service_unavailable', requestId: undefined, retryAfterSeconds },
    },
  )

/** Starts work with these answers in turn, of which the last stays. Time passes as soon as something waits for it. */
async function beginWith(...answers: readonly (Error | { readonly id: string })[]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const keys: (string | undefined)[] = []
  const output = createOutput(false, [])
  const { signal } = new AbortController()
  const from = Date.now()
  const notes = await written('stderr', async () => {
    const started = begin({ output, signal }, async ({ idempotencyKey }) => {
      keys.push(idempotencyKey)
      const answer = answers[keys.length - 1] ?? answers.at(-1)
      if (!answer || answer instanceof Error) throw answer ?? new Error('no answer')
      return answer
    }).catch(output.failure)
    await vi.runAllTimersAsync()
    await started
  })
  return { notes, keys, seconds: (Date.now() - from) / 1000 }
}

it('a busy service is asked again after the time that it says, under the same key', async () => {
  const { notes, keys, seconds } = await beginWith(busy(20), busy(), { id: 'job_1' })
  expect(notes).toBe('The service is busy. Trying again for up to 5 minutes.\njob_1 has begun.\n')
  expect(seconds).toBe(30)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

it('a service that stays busy is given up after five minutes, with how long to wait', async () => {
  const { notes, seconds } = await beginWith(busy(50))
  expect(seconds).toBe(300)
  expect(notes).toMatch(/Reading the media took more than 25 seconds\. Try again after 50 seconds\.\n$/)
})

it('what asks for more time than a person waits is not waited for', async () => {
  const { notes, seconds } = await beginWith(busy(7_200))
  expect([seconds, notes]).toEqual([0, expect.stringContaining('Try again after 2 hours.')])
})

it('a refusal is not tried again', async () => {
  const refused = { status: 402, code: 'billing_required', requestId: undefined, retryAfterSeconds: undefined }
  const { keys, notes } = await beginWith(new ApiError('The credits do not suffice.', refused))
  expect([keys.length, notes]).toEqual([1, 'The credits do not suffice.\n'])
})
