import { expect, it } from 'vitest'
import { findSameMailboxes } from '../../src/accounts/describe-account.ts'
import { openTestDatabase } from '../setup/database.ts'
import { config, newEmail, ownersOn, renewedConfig, suspend, tagged } from './owners.ts'

const db = await openTestDatabase()
const { open, remove, movedTwice } = ownersOn(db)

async function found(accountId: string, signing = config): Promise<string[]> {
  const accounts = await findSameMailboxes({ db, config: signing }, accountId)
  return accounts.map(({ account_id }) => account_id).toSorted()
}

it('open accounts of the mailboxes that the owner has and had are found, under any of their addresses', async () => {
  const { accountId, former, third } = await movedTwice()
  const [first, ...others] = [await open(former[0]), await open(tagged(former[1])), await open(tagged(third))]
  await open(newEmail())
  await suspend({ db, config }, accountId)
  const all = [first, ...others].toSorted()
  expect(await found(accountId)).toEqual(all)
  expect(await found(accountId, renewedConfig)).toEqual(all)
  await remove(first)
  expect(await found(accountId)).toEqual(others.toSorted())
})

it('an account whose owner left the mailbox is found', async () => {
  const { accountId, former } = await movedTwice()
  const next = await open(former[0])
  await suspend({ db, config }, next)
  expect(await found(next)).toEqual([accountId])
})

it('an account of a mailbox of its own has none', async () => {
  const accountId = await open(newEmail())
  await suspend({ db, config }, accountId)
  expect(await found(accountId)).toEqual([])
})
