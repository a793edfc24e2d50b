import { setImmediate as tick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createKeyedQueue } from '../../src/core/concurrency.ts'

it('runs the work of one key one at a time and in order, past failures, and other keys in parallel', async () => {
  const inTurn = createKeyedQueue()
  const seen: string[] = []
  const work = (name: string, ticks: number) => async () => {
    seen.push(`${name} starts`)
    for (let count = 0; count < ticks; count++) await tick()
    seen.push(`${name} ends`)
    if (name === 'first') throw new Error('refused')
    return name
  }
  const results = await Promise.allSettled([
    inTurn('a', work('first', 4)),
    inTurn('a', work('second', 1)),
    inTurn('b', work('other', 2)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(seen.filter((line) => !line.startsWith('other'))).toEqual([
    'first starts',
    'first ends',
    'second starts',
    'second ends',
  ])
  expect(seen.indexOf('other ends')).toBeLessThan(seen.indexOf('first ends'))
})

it('lets a key rest after its work, for as many times as long, and other keys go on', async () => {
  const inTurn = createKeyedQueue({ restForWork: 2 })
  const busyFor = (milliseconds: number) => async () => {
    const began = performance.now()
    while (performance.now() - began < milliseconds) await tick()
    return performance.now()
  }
  const first = inTurn('a', busyFor(30))
  const second = inTurn('a', async () => performance.now())
  const other = inTurn('b', async () => performance.now())
  expect(await other).toBeLessThan(await first)
  expect((await second) - (await first)).toBeGreaterThanOrEqual(59)
})

it('does not begin work that was aborted before its turn, which takes no rest either', async () => {
  const inTurn = createKeyedQueue({ restForWork: 1_000 })
  const done: string[] = []
  const work = (name: string) => async () => void done.push(name)
  const aborted = Array.from({ length: 3 }, () =>
    inTurn('a', work('aborted'), AbortSignal.abort(new Error('canceled'))),
  )
  const next = inTurn('a', work('next'))
  expect((await Promise.allSettled(aborted)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  await next
  expect(done).toEqual(['next'])
})
