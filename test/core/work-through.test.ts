import { expect, it } from 'vitest'
import { type RowPage, workThrough } from '../../src/core/concurrency.ts'

/** Rows 0 to `count` - 1, of which those that `stays` names never get done. */
function queue(count: number, stays: (row: number) => boolean) {
  const waiting = Array.from({ length: count }, (_, row) => row)
  const find = async ({ limit, except }: RowPage) => {
    const known = new Set(except)
    return waiting
      .map(String)
      .filter((id) => !known.has(id))
      .slice(0, limit)
  }
  const work = async (rows: readonly string[]) => {
    const done = rows.filter((id) => !stays(Number(id)))
    for (const id of done) waiting.splice(waiting.indexOf(Number(id)), 1)
    return done.length
  }
  return { waiting, paged: { find, work, pageSize: 10 } }
}

it('gets past rows that never get done, and tries each once', async () => {
  const { waiting, paged } = queue(35, (row) => row < 20)
  expect(await workThrough(paged)).toEqual({ found: 35, done: 15 })
  expect(waiting).toHaveLength(20)
})

it('begins no further page when enough rows are done', async () => {
  const { waiting, paged } = queue(50, (row) => row < 5)
  expect(await workThrough({ ...paged, maxDone: 20 })).toEqual({ found: 30, done: 25 })
  expect(waiting).toHaveLength(25)
})

it('ends when too many rows stay', async () => {
  const { paged } = queue(2_500, () => true)
  expect(await workThrough(paged)).toEqual({ found: 2_000, done: 0 })
})
