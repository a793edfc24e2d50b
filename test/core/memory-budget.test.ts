import { expect, it } from 'vitest'
import { createMemoryBudget, type MemoryNeed, smallToolBytes } from '../../src/core/memory-budget.ts'

const { signal } = new AbortController()
const local = { bytes: 40, isRemote: false, claimKeys: [], startsImmediately: false }
const remote = { ...local, isRemote: true }

/** A budget whose work runs until it is ended. */
function openBudget(bytes = 100) {
  const budget = createMemoryBudget(bytes)
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

/** Of a worker of 4 GiB: four tools that decode sound may wait for servers. */
const gibibyte = 1024 ** 3
const sound = { ...local, bytes: smallToolBytes, isRemote: true }
const from = (account: string, host: string) => ({ ...sound, claimKeys: [`account ${account}`, `host ${host}`] })

it('gives the second half of what tools with slow servers may use to accounts with less than a quarter of it', async () => {
  const { running, start, end } = openBudget(3 * gibibyte)
  const ofOne = ['a1', 'a2', 'a3', 'a4'].map((name) => start(name, from('a', name)))
  await expect.poll(() => running).toEqual(['a1', 'a2'])
  const others = [start('b1', from('b', 'b1')), start('b2', from('b', 'b2')), start('c1', from('c', 'c1'))]
  await expect.poll(() => running).toEqual(['a1', 'a2', 'b1', 'c1'])
  end('a1')
  end('b1')
  // Of the two that wait, the second has nothing yet.
  await expect.poll(() => running).toEqual(['a2', 'c1', 'b2'])
  end('c1')
  end('b2')
  await expect.poll(() => running).toEqual(['a2', 'a3'])
  end('a2')
  await expect.poll(() => running).toEqual(['a3', 'a4'])
  end('a3')
  end('a4')
  await Promise.all([...ofOne, ...others])
})

it('leaves room for an encoder of another account beside the slow servers of one', async () => {
  const { running, start, end } = openBudget(3 * gibibyte)
  const encoder = { ...from('b', 'b1'), bytes: 514 * 1024 ** 2 }
  const all = ['a1', 'a2', 'a3'].map((name) => start(name, from('a', name)))
  all.push(start('encoder', encoder))
  await expect.poll(() => running).toEqual(['a1', 'a2', 'encoder'])
  for (const name of ['a1', 'encoder', 'a2']) end(name)
  await expect.poll(() => running).toEqual(['a3'])
  end('a3')
  await Promise.all(all)
})

it('shares it likewise among servers, whose accounts can be many', async () => {
  const { running, start, end } = openBudget(3 * gibibyte)
  const all = ['a', 'b', 'c'].map((account) => start(account, from(account, 'slow.example')))
  all.push(start('d', from('d', 'other.example')))
  await expect.poll(() => running).toEqual(['a', 'b', 'd'])
  end('a')
  end('b')
  await expect.poll(() => running).toEqual(['d', 'c'])
  end('c')
  end('d')
  await Promise.all(all)
})

it('shares nothing of it among tools that read from our storage', async () => {
  const { running, start, end } = openBudget(3 * gibibyte)
  const names = ['s1', 's2', 's3', 's4']
  const all = names.map((name) => start(name, sound))
  await expect.poll(() => running).toEqual(names)
  for (const name of names) end(name)
  await Promise.all(all)
})

it('runs small tools beside the large ones that wait, one after the other, and the large ones in turn', async () => {
  const { running, start, end } = openBudget(4 * smallToolBytes)
  const large = { ...local, bytes: 1.5 * smallToolBytes }
  const small = { ...local, bytes: smallToolBytes }
  const all = ['L1', 'L2', 'L3'].map((name) => start(name, large))
  all.push(start('s1', small), start('s2', small))
  await expect.poll(() => running).toEqual(['L1', 'L2', 's1'])
  end('s1')
  await expect.poll(() => running).toEqual(['L1', 'L2', 's2'])
  end('L2')
  await expect.poll(() => running).toEqual(['L1', 's2', 'L3'])
  for (const name of ['L1', 's2', 'L3']) end(name)
  await Promise.all(all)
})

it('runs small tools beside the large ones that wait, also while a slow server holds another', async () => {
  const { running, start, end } = openBudget(4 * smallToolBytes)
  const large = { ...local, bytes: 2 * smallToolBytes }
  const small = { ...local, bytes: smallToolBytes }
  const all = [start('L1', large), start('r1', { ...small, isRemote: true }), start('L2', large), start('s1', small)]
  await expect.poll(() => running).toEqual(['L1', 'r1', 's1'])
  end('s1')
  end('L1')
  await expect.poll(() => running).toEqual(['r1', 'L2'])
  for (const name of ['r1', 'L2']) end(name)
  await Promise.all(all)
})

it('lets no small tools delay a large one for ever', async () => {
  const { running, start, end } = openBudget(4 * smallToolBytes)
  const small = { ...local, bytes: smallToolBytes }
  const all = ['s1', 's2', 's3'].map((name) => start(name, small))
  all.push(start('large', { ...local, bytes: 2 * smallToolBytes }), start('s4', small))
  await expect.poll(() => running).toEqual(['s1', 's2', 's3'])
  end('s1')
  await expect.poll(() => running).toEqual(['s2', 's3', 'large'])
  end('s2')
  end('s3')
  await expect.poll(() => running).toEqual(['large', 's4'])
  for (const name of ['large', 's4']) end(name)
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
