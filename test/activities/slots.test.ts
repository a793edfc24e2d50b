import { describe, expect, it } from 'vitest'
import { claimsOf, createSlots, deferWhileSlow, sourceSlots } from '../../activities/slots.ts'
import { SlowSourceError } from '../../src/net/source-errors.ts'

const source = (accountId: string, mediaUrl: string) => ({
  ...{ id: 'job_a', accountId, mediaUrl, mediaKey: null, mediaGeneration: null },
})

/** Steps that hold their slots until `end`; returns how many of them got one. */
async function occupy(slots: ReturnType<typeof createSlots>, media: ReturnType<typeof source>[]) {
  let end = () => {}
  const ended = new Promise<'done'>((resolve) => {
    end = () => resolve('done')
  })
  let started = 0
  const results = media.map((each) =>
    slots(claimsOf(each), () => {
      started += 1
      return ended
    }),
  )
  return { started, end, results }
}

const repeat = (count: number, accountId: string, urlOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => source(accountId, urlOf(index)))

describe('the slots of a queue', () => {
  it('are a quarter at most for one account, and are free again afterwards', async () => {
    const slots = createSlots(sourceSlots)
    const first = await occupy(
      slots,
      repeat(20, 'acct_a', (index) => `https://host-${index}.example/`),
    )
    expect(first.started).toBe(sourceSlots / 4)
    const other = await occupy(slots, [source('acct_b', 'https://other.example/')])
    expect(other.started).toBe(1)
    first.end()
    other.end()
    const results = await Promise.all(first.results)
    expect(results.filter((result) => result === 'done')).toHaveLength(8)
    expect(results.filter((result) => result !== 'done')).toEqual(
      Array.from({ length: 12 }, () => ({ deferred: 'no_slot' })),
    )
    expect(
      (
        await occupy(
          slots,
          repeat(8, 'acct_a', (index) => `https://host-${index}.example/`),
        )
      ).started,
    ).toBe(8)
  })

  it.each([
    [64, 16],
    [8, 2],
    [4, 1],
    [1, 1],
  ])('of %i task slots are %i for one account, and always one', async (taskSlots, share) => {
    const slots = createSlots(taskSlots)
    const jobs = repeat(20, 'acct_a', (index) => `https://host-${index}.example/`)
    expect((await occupy(slots, jobs)).started).toBe(share)
  })

  it.each([
    ['names of one owner', (index: number) => `https://host-${index}.tunnel.owner.co.uk/`],
    ['one address', () => 'http://203.0.113.7/'],
  ])('are a quarter at most for the server behind %s, over all accounts', async (_what, urlOf) => {
    const all = Array.from({ length: 20 }, (_, index) => source(`acct_${index}`, urlOf(index)))
    expect((await occupy(createSlots(sourceSlots), all)).started).toBe(sourceSlots / 4)
  })

  it('are not shared by owners below one public suffix', async () => {
    const all = Array.from({ length: 20 }, (_, index) => source(`acct_${index}`, `https://owner-${index}.co.uk/`))
    expect((await occupy(createSlots(sourceSlots), all)).started).toBe(20)
  })

  it('for media in our storage are limited by account only', () => {
    expect(claimsOf({ ...source('acct_a', 'https://api.example/v1/media/upl_a'), mediaKey: 'uploads/a' })).toEqual([
      { key: 'account acct_a' },
    ])
  })

  it('are free again after a failure', async () => {
    const slots = createSlots(sourceSlots)
    const fails = () =>
      slots(claimsOf(source('acct_a', 'https://a.example/')), async () => {
        throw new Error('refused')
      })
    for (let round = 0; round < 9; round++) await expect(fails()).rejects.toThrow('refused')
  })
})

describe('a source that is too slow', () => {
  const slow = async () => {
    throw new SlowSourceError()
  }
  const sources = (canResume: boolean) => ({ rangedSources: { ...unused, resume: () => canResume } })

  it('gives its slot back where its bytes can be read on later, for a limited number of turns', async () => {
    expect(await deferWhileSlow(sources(true), 'job_a', { turn: 0 }, slow)).toEqual({ deferred: 'slow_source' })
    await expect(deferWhileSlow(sources(true), 'job_a', { turn: 60 }, slow)).rejects.toBeInstanceOf(SlowSourceError)
  })

  it('fails where they cannot', async () => {
    await expect(deferWhileSlow(sources(false), 'job_a', { turn: 0 }, slow)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
    })
  })
})

const refuse = () => {
  throw new Error('not part of this test')
}
const unused = { find: refuse, inTurn: refuse, open: refuse, close: refuse, end: refuse }
