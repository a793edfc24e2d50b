import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTurn } from '../../web/src/api/in-turn.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('a list that a thousand changes are about is read at once, every two seconds, and after the last of them', async () => {
  const readAt: number[] = []
  const readList = inTurn(async () => readAt.push(Date.now() - began))
  const began = Date.now()
  for (let change = 0; change < 1000; change++) {
    readList()
    await vi.advanceTimersByTimeAsync(5)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(readAt).toEqual([0, 2000, 4000, 6000])
  readList()
  expect(readAt).toHaveLength(5)
})

it('a list is not read again before its answer is here', async () => {
  const answers: (() => void)[] = []
  const readList = inTurn(() => new Promise<void>((resolve) => answers.push(resolve)))
  for (const _ of [1, 2, 3]) {
    readList()
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(answers).toHaveLength(1)
  answers[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(answers).toHaveLength(2)
})
