import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { closeBatch, retryBatch } from '../../src/batches/batches.ts'
import { findNextItem, refuseItem, writeBatchEnd } from '../../src/batches/items.ts'
import { openTestDatabase } from '../setup/database.ts'
import { newBatch } from './new-batch.ts'

const db = await openTestDatabase()
const maxUnpaidBytes = 9_000
const mediaUrls = Array.from({ length: 10 }, (_, index) => `https://media.example/${index}.mp4`)
const create = (accountId: string) => newBatch(db, { accountId, mediaUrls, maxUnpaidBytes })
const retry = (accountId: string, id: string) => {
  const owner = { accountId, keyId: null, scope: 'all', expiresAt: null }
  return retryBatch(db, owner, { id, accountId, capMicroUsd: undefined, maxUnpaidBytes })
}
const refusal = {
  code: 'rate_limited',
  message: expect.stringContaining('Jobs and batches of this account that cost nothing may store 8.8 KiB'),
  retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 86_000 && seconds <= 86_400),
}

it('media of batches that are canceled use up what an account may store without a charge in a day, however often they are tried again', async () => {
  const [accountId, other] = [await createAccount(db, 'cancels'), await createAccount(db, 'other')]
  const id = await create(accountId)
  // Each time ten rows of 400 bytes, with their URLs.
  for (let canceled = 0; canceled < 3; canceled += 1) {
    await closeBatch(db, { id, accountId })
    // Nothing waits any more.
    await closeBatch(db, { id, accountId })
    if (canceled < 2) expect(await retry(accountId, id)).toBe(10)
  }
  await expect(retry(accountId, id)).rejects.toMatchObject(refusal)
  await expect(create(accountId)).rejects.toMatchObject(refusal)
  expect(await db.batchItem.count({ where: { batch: { accountId } } })).toBe(10)
  await create(other)
})

it('so do those that are refused one by one', async () => {
  const accountId = await createAccount(db, 'refused')
  for (let made = 0; made < 2; made += 1) await create(accountId)
  await refuseNext(accountId, 20)
  await create(accountId)
  await refuseNext(accountId, 10)
  await expect(create(accountId)).rejects.toMatchObject(refusal)
})

async function refuseNext(accountId: string, items: number): Promise<void> {
  for (let refused = 0; refused < items; refused += 1) {
    const item = await findNextItem(db, accountId, { maxOpen: 1, except: { batches: [], items: [] } })
    if (!item) throw new Error('none waits')
    await refuseItem(db, item, { code: 'spend_cap_reached', message: 'The cap does not suffice.' })
  }
}

it('the settings of a batch count at its end, unless it was charged', async () => {
  const end = async (name: string, capturedMicroUsd: bigint) => {
    const accountId = await createAccount(db, name)
    const id = await newBatch(db, { accountId, settings: { text: 'a'.repeat(10_000) } })
    await db.keyMonth.create({ data: { keyId: id, month: '2026-11', capturedMicroUsd } })
    await closeBatch(db, { id, accountId })
    await create(accountId)
    await db.$transaction(async (tx) => writeBatchEnd(tx, await tx.batch.findUniqueOrThrow({ where: { id } })))
    return create(accountId)
  }
  await end('charged', 1n)
  await expect(end('free', 0n)).rejects.toMatchObject(refusal)
})
