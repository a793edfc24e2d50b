import { expect, test } from 'vitest'
import { createTurns, nextTurn, workCounter } from '../../src/core/turns.ts'

test('who waits for the same turn continues together, before what comes later', async () => {
  const order: string[] = []
  const first = nextTurn().then(() => order.push('first'))
  const second = nextTurn().then(() => order.push('second'))
  setImmediate(() => order.push('later'))
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
  await nextTurn()
  expect(order).toEqual(['first', 'second', 'later'])
})

test('each turn is a new one', async () => {
  const turn = nextTurn()
  await turn
  expect(nextTurn()).not.toBe(turn)
})

test('who asks for a turn of their own continues alone, in order', async () => {
  const ownTurn = createTurns()
  const order: string[] = []
  const others = Array.from({ length: 3 }, async (_, index) => {
    await ownTurn()
    order.push(`call ${index}`)
    setImmediate(() => order.push(`turn after ${index}`))
  })
  await Promise.all(others)
  await nextTurn()
  expect(order).toEqual(['call 0', 'turn after 0', 'call 1', 'turn after 1', 'call 2', 'turn after 2'])
})

test('work is due to turn each time that enough of it is done', () => {
  const isDue = workCounter(10)
  expect([4, 5, 1, 9, 1, 25].map((work) => isDue(work))).toEqual([false, false, true, false, true, true])
})
