import { expect, test } from 'vitest'
import { collectInTurns, createTurns, joinInTurns, mapInTurns, nextTurn, startTurns } from '../../src/core/turns.ts'
import { bestOfThree } from '../best-of-three.ts'
import { longestWork, tooLongMs } from '../longest-work.ts'

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

test('work is due to turn once it has taken some milliseconds since its last turn', async () => {
  const turns = startTurns()
  expect(turns.isDue()).toBe(false)
  workFor(10)
  expect(turns.isDue()).toBe(true)
  await turns.next()
  expect(turns.isDue()).toBe(false)
})

test(
  'long passes yield all that they yield without turns, and let other work have its turns',
  bestOfThree,
  async () => {
    function* pass() {
      for (let at = 0; at < 400; at += 1) {
        workFor(1)
        yield at
      }
    }
    function* texts() {
      for (const at of pass()) yield `${at}`
    }
    const items = Array.from({ length: 400 }, (_, at) => at)
    const longest = await longestWork(async () => {
      expect(await collectInTurns(pass())).toEqual(items)
      expect(await mapInTurns(items, (item, index) => item + index)).toEqual(items.map((item) => 2 * item))
      expect(await joinInTurns(texts())).toBe(items.join(''))
    })
    expect(longest).toBeLessThan(tooLongMs)
  },
)

test('a text of more parts than are joined together is whole', async () => {
  const parts = Array.from({ length: 2_500 }, (_, at) => `${at} `)
  expect(await joinInTurns(parts)).toBe(parts.join(''))
})

function workFor(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
