import { expect, it } from 'vitest'
import { batchByKey } from '../../../api/http/rate-limits.ts'

it('works once for all calls that arrive while it runs, and returns each its value in order', async () => {
  const works: [string, number][] = []
  const take = batchByKey(async (key, count) => {
    works.push([key, count])
    await Promise.resolve()
    return Array.from({ length: count }, (_, index) => `${key} ${works.length} ${index}`)
  })
  expect(await Promise.all([take('a'), take('a'), take('b'), take('a')])).toEqual(['a 2 0', 'a 3 0', 'b 2 0', 'a 3 1'])
  expect(works).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 2],
  ])
  expect(await take('a')).toBe('a 4 0')
})

it('rejects only the calls of failed work', async () => {
  let works = 0
  const take = batchByKey(async () => {
    if (++works === 1) throw new Error('lost')
    return ['kept']
  })
  const [first, second] = await Promise.allSettled([take('a'), take('a')])
  expect(first.status).toBe('rejected')
  expect(second).toEqual({ status: 'fulfilled', value: 'kept' })
})
