import { expect, it } from 'vitest'
import { createMemoryBudget, type MemoryNeed } from '../../src/core/memory-budget.ts'

const { signal } = new AbortController()
const local = { bytes: 40, isRemote: false, startsImmediately: false }
const remote = { ...local, isRemote: true }

/** A budget of 100 bytes, whose work runs until it is ended. */
function openBudget() {
  const budget = createMemoryBudget(100)
  const running: string[] = []
  const ends = new Map<string, () => void>()
  return {
    running,
    start: (name: string, need: MemoryNeed, until = signal) =>
      budget.use(need, until, async () => {
        running.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        running.splice(running.indexOf(name), 1)
      }),
    end: (name: string) => ends.get(name)?.(),
  }
}

it('runs what fits, and the rest in the order of the calls', async () => {
  const { running, start, end } = openBudget()
  const all = ['a', 'b', 'c', 'd'].map((name) => start(name, local))
  await expect.poll(() => running).toEqual(['a', 'b'])
  end('b')
  await expect.poll(() => running).toEqual(['a', 'c'])
  end('a')
  await expect.poll(() => running).toEqual(['c', 'd'])
  end('c')
  end('d')
  await Promise.all(all)
})

it('leaves half to tools that wait for no server', async () => {
  const { running, start, end } = openBudget()
  const all = [start('r1', remote), start('r2', remote), start('l1', local)]
  await expect.poll(() => running).toEqual(['r1', 'l1'])
  end('l1')
  await expect.poll(() => running).toEqual(['r1'])
  end('r1')
  await expect.poll(() => running).toEqual(['r2'])
  end('r2')
  await Promise.all(all)
})

it('immediately starts a tool that another one waits for', async () => {
  const { running, start, end } = openBudget()
  const all = [start('a', local), start('b', local), start('fed', { ...local, startsImmediately: true })]
  await expect.poll(() => running).toEqual(['fed', 'a', 'b'])
  for (const name of ['fed', 'a', 'b']) end(name)
  await Promise.all(all)
})

it('runs a tool that needs more than there is', async () => {
  const { running, start, end } = openBudget()
  const large = start('large', { ...local, bytes: 1_000 })
  await expect.poll(() => running).toEqual(['large'])
  end('large')
  await large
})

it('forgets work that was aborted while it waited', async () => {
  const { running, start, end } = openBudget()
  const abort = new AbortController()
  const reason = new Error('canceled')
  const all = [start('a', { ...local, bytes: 50 }), start('b', { ...local, bytes: 30 })]
  const aborted = start('c', local, abort.signal)
  const later = start('d', { ...local, bytes: 20 })
  await expect.poll(() => running).toEqual(['a', 'b'])
  abort.abort(reason)
  await expect(aborted).rejects.toBe(reason)
  await expect.poll(() => running).toEqual(['a', 'b', 'd'])
  for (const name of ['a', 'b', 'd']) end(name)
  await Promise.all([...all, later])
})
