import { describe, expect, it } from 'vitest'
import { createLimit } from '../../src/core/concurrency.ts'

const never = new AbortController().signal

describe('a limit', () => {
  it('runs as many works as it allows, in the order of the calls, also after failures', async () => {
    const limit = createLimit(2)
    let running = 0
    const peaks: number[] = []
    const order: number[] = []
    const works = Array.from({ length: 6 }, (_, index) =>
      limit(async () => {
        order.push(index)
        running += 1
        peaks.push(running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (index === 1) throw new Error('failed')
      }, never),
    )
    const outcomes = await Promise.allSettled(works)
    expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1)
    expect(order).toEqual([0, 1, 2, 3, 4, 5])
    expect(Math.max(...peaks)).toBe(2)
  })

  it('forgets calls that are aborted while they wait', async () => {
    const limit = createLimit(1)
    const leaving = new AbortController()
    let release = () => {}
    const open = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = limit(() => open, never)
    const second = limit(async () => 'never', leaving.signal)
    const third = limit(async () => 'third', never)
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    release()
    await first
    expect(await third).toBe('third')
    await expect(limit(async () => 'never', leaving.signal)).rejects.toThrow('left')
  })
})
