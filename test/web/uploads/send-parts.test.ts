import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../../web/src/api/client.ts'
import { sendParts } from '../../../web/src/uploads/send-parts.ts'

const options = { onProgress: () => {}, signal: new AbortController().signal }
const answer = (status: number, keptBytes = 0) => {
  return { status, keptBytes, error: new ApiError('refused', { code: 'upload_failed', status }) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a part of which the storage kept half goes on in its middle', async () => {
  const asked: (number | undefined)[] = []
  const put = (from: number | undefined) => {
    asked.push(from)
    return Promise.resolve(from === 0 ? answer(308, 4_000_000) : answer(200))
  }
  const refusal = await sendParts(put, 0, options)
  expect([refusal, asked]).toEqual([undefined, [0, 4_000_000]])
})

it('an upload whose connection breaks asks how much has arrived', async () => {
  const asked: (number | undefined)[] = []
  const answers = [answer(0), answer(308, 5), answer(200)]
  const put = (from: number | undefined) => {
    asked.push(from)
    return Promise.resolve(answers.shift() ?? answer(500))
  }
  const ended = sendParts(put, 0, options)
  await vi.runAllTimersAsync()
  expect([await ended, asked]).toEqual([undefined, [0, undefined, 5]])
})

it('an upload ends whose storage takes parts and keeps nothing of them', async () => {
  let asked = 0
  const put = () => {
    asked += 1
    return Promise.resolve(answer(308))
  }
  const ended = sendParts(put, 0, options)
  await vi.runAllTimersAsync()
  expect([(await ended)?.status, asked]).toEqual([308, 17])
})
