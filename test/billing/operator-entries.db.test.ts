import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { freeCreditsMicroUsd, grantFreeCredits } from '../../src/billing/credits.ts'
import { append } from '../../src/billing/ledger.ts'
import { type OperatorEntry, writeOperatorEntry } from '../../src/billing/payments.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()
const newAccount = () => createAccount(db, 'operated')
const accountOf = (id: string) => db.account.findUniqueOrThrow({ where: { id } })

const write = (accountId: string, kind: OperatorEntry['kind'], credit: bigint, billable = 0n) =>
  writeOperatorEntry(db, { accountId, kind, amount: { credit, billable }, reason: 'ticket 7' })

it('a grant and a correction change the credits, with their reasons, and the ledger stays clean', async () => {
  const id = await newAccount()
  await write(id, 'grant', 2_500_000n)
  await write(id, 'adjustment', -1_000_000n)
  expect((await accountOf(id)).creditMicroUsd).toBe(freeCreditsMicroUsd + 1_500_000n)
  const entries = await db.ledgerEntry.findMany({ where: { accountId: id, reason: 'ticket 7' } })
  expect(entries.map(({ kind, creditMicroUsd }) => [kind, creditMicroUsd])).toEqual(
    expect.arrayContaining([
      ['grant', 2_500_000n],
      ['adjustment', -1_000_000n],
    ]),
  )
  expect(await checkLedger(db)).toEqual([])
})

it('corrects what is billed, down to nothing', async () => {
  const id = await newAccount()
  await write(id, 'adjustment', 0n, 4_000_000n)
  await write(id, 'adjustment', 0n, -4_000_000n)
  await expect(write(id, 'adjustment', 0n, -1n)).rejects.toThrow('the account owes less than that')
  expect((await accountOf(id)).billedMicroUsd).toBe(0n)
})

it.each([
  ['nothing', 'adjustment', 0n, 0n, 'the amount must not be 0'],
  [
    'more credits than there are',
    'adjustment',
    -freeCreditsMicroUsd - 1n,
    0n,
    'the account has fewer credits than that',
  ],
  ['more than 10,000 USD', 'grant', 10_000_000_001n, 0n, 'an entry adds at most 10000 USD of credits'],
  ['as much as a correction', 'adjustment', 10_000_000_001n, 0n, 'an entry adds at most 10000 USD of credits'],
  ['a bill of more', 'adjustment', 0n, 10_000_000_001n, 'an entry bills at most 10000 USD'],
  ['a negative grant', 'grant', -1n, 0n, 'a grant adds credits; use adjust'],
  ['a grant of what is billed', 'grant', 1n, 1n, 'a grant adds credits; use adjust'],
] as const)('refuses %s, and writes nothing', async (_what, kind, credit, billable, message) => {
  const id = await newAccount()
  await expect(write(id, kind, credit, billable)).rejects.toThrow(message)
  expect(await db.ledgerEntry.count({ where: { accountId: id } })).toBe(1)
})

it('adds no credits to a deleted account, and still corrects what it owes', async () => {
  const id = await newAccount()
  await write(id, 'adjustment', 0n, 4_000_000n)
  await db.account.update({ where: { id }, data: { deletedAt: new Date() } })
  await expect(write(id, 'grant', 1_000_000n)).rejects.toThrow(`${id} is deleted`)
  await write(id, 'adjustment', 0n, -4_000_000n)
  expect((await accountOf(id)).creditMicroUsd).toBe(freeCreditsMicroUsd)
})

it('simultaneous corrections do not take more credits than there are', async () => {
  const id = await newAccount()
  const taken = await Promise.allSettled(
    Array.from({ length: 8 }, () => write(id, 'adjustment', -freeCreditsMicroUsd / 2n)),
  )
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect((await accountOf(id)).creditMicroUsd).toBe(0n)
})

it('a grant before the first sign-in does not take the place of the free credits', async () => {
  const id = newId('acct')
  await db.account.create({ data: { id, name: 'invited' } })
  await write(id, 'grant', 1_000_000n)
  const input = { accountId: id, proof: 'mail', mailboxes: [randomText(20)], network: randomText(8) } as const
  await grantFreeCredits(db, { ...input, grantsPerNetwork: 5 })
  await grantFreeCredits(db, { ...input, grantsPerNetwork: 5 })
  expect((await accountOf(id)).creditMicroUsd).toBe(freeCreditsMicroUsd + 1_000_000n)
})

it('the ledger check names an entry of an operator without a reason', async () => {
  const id = await newAccount()
  await db.$transaction((tx) =>
    append(tx, { accountId: id, jobId: null, kind: 'grant', step: 'operator/x', amount: { credit: 1n, billable: 0n } }),
  )
  expect(await checkLedger(db)).toMatchObject([{ rule: 'an operator’s entry has a reason' }])
})
