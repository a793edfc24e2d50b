import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createAddressCounter } from '../../../api/http/rate-limits.ts'
import { newId } from '../../../src/core/ids.ts'
import { openTestDatabase } from '../../setup/database.ts'

const db = await openTestDatabase()
const limit = 100
const newProcess = () => createAddressCounter(db, limit, pino({ level: 'silent' }))
const newSubject = () => `address ${newId('req')}`
const countedOf = async (subject: string) =>
  Number((await db.quotaWindow.findUniqueOrThrow({ where: { subject } })).used)

it('one process accepts exactly the limit, in sequence and simultaneously', async () => {
  const count = newProcess()
  const subject = newSubject()
  const left = []
  for (let index = 0; index < limit; index++) left.push((await count(subject)).left)
  expect(left).toEqual(Array.from({ length: limit }, (_, index) => limit - 1 - index))
  expect(await count(subject)).toMatchObject({ fits: false, left: 0 })

  const crowd = newSubject()
  const uses = await Promise.all(Array.from({ length: 2 * limit }, () => count(crowd)))
  expect(uses.filter(({ fits }) => fits)).toHaveLength(limit)
})

it('most requests far from the limit are counted later, together', async () => {
  const count = newProcess()
  const subject = newSubject()
  await count(subject)
  let ahead = 0
  for (let index = 0; index < 40; index++) {
    const use = await count(subject)
    const counted = await countedOf(subject)
    expect(limit - use.left - counted).toBeLessThanOrEqual(limit / 20)
    if (limit - use.left > counted) ahead++
  }
  expect(ahead).toBeGreaterThan(20)
})

it('three processes together exceed the limit by a tenth at most', async () => {
  const subject = newSubject()
  const processes = [newProcess(), newProcess(), newProcess()]
  let accepted = 0
  for (let round = 0; round < limit / 2; round++) {
    for (const count of processes) if ((await count(subject)).fits) accepted++
  }
  expect(accepted).toBeGreaterThanOrEqual(limit)
  expect(accepted).toBeLessThanOrEqual(limit * 1.1)
})
