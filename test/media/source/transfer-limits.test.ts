import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { meterTransfer } from '../../../src/media/source/transfer-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const arrivesAfter = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

it('counts the time of readers that wait simultaneously once', async () => {
  const meter = meterTransfer({ totalMs: 1_000 })
  const waiting = Promise.all([900, 800, 700].map((milliseconds) => meter.waitFor(arrivesAfter(milliseconds))))
  await vi.advanceTimersByTimeAsync(900)
  expect(await waiting).toHaveLength(3)

  const late = expect(meter.waitFor(arrivesAfter(101))).rejects.toMatchObject({ code: 'media_unreachable' })
  await vi.advanceTimersByTimeAsync(101)
  await late
})
