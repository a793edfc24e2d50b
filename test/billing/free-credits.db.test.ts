import { expect, it } from 'vitest'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { type FreeCreditsInput, freeCreditsMicroUsd, grantFreeCredits } from '../../src/billing/credits.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

async function opened(): Promise<string> {
  const id = newId('acct')
  await db.account.create({ data: { id, name: 'free' } })
  return id
}

const grant = (accountId: string, input: Partial<FreeCreditsInput> = {}) =>
  grantFreeCredits(db, {
    accountId,
    proof: 'mail',
    mailboxes: [randomText(20)],
    network: randomText(8),
    grantsPerNetwork: 2,
    ...input,
  })
const creditOf = async (id: string) => (await db.account.findUniqueOrThrow({ where: { id } })).creditMicroUsd
const sumOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map(creditOf))).reduce((sum, each) => sum + each, 0n)

it('an account gets them once, however many sign-ins there are', async () => {
  const id = await opened()
  await Promise.all(Array.from({ length: 8 }, () => grant(id, { grantsPerNetwork: 100 })))
  expect(await creditOf(id)).toBe(freeCreditsMicroUsd)
})

it('a mailbox gets them once, for simultaneous accounts on many networks too', async () => {
  const mailboxes = [randomText(20)] as const
  const ids = await Promise.all(Array.from({ length: 8 }, opened))
  await Promise.all(ids.map((id) => grant(id, { mailboxes })))
  expect(await sumOf(ids)).toBe(freeCreditsMicroUsd)
  const late = await opened()
  await grant(late, { mailboxes: [randomText(20), mailboxes[0]] })
  expect(await creditOf(late)).toBe(0n)
})

it('a network gets them a few times a day; the next day another account does', async () => {
  const network = randomText(8)
  const ids = await Promise.all(Array.from({ length: 8 }, opened))
  await Promise.all(ids.map((id) => grant(id, { network })))
  expect(await sumOf(ids)).toBe(2n * freeCreditsMicroUsd)
  await db.quotaWindow.updateMany({ where: { subject: `grants ${network}` }, data: { endsAt: new Date(0) } })
  for (const id of ids) await grant(id, { network })
  expect(await sumOf(ids)).toBe(4n * freeCreditsMicroUsd)
})

it('an account without a payment method gets them when it has one, if that is the proof', async () => {
  const id = await opened()
  const mailboxes = [randomText(20)] as const
  await grant(id, { proof: 'payment_method', mailboxes })
  expect(await creditOf(id)).toBe(0n)
  await activateBilling(db, id)
  await grant(id, { proof: 'payment_method', mailboxes })
  expect(await creditOf(id)).toBe(freeCreditsMicroUsd)
})

it('every account gets them without a proof', async () => {
  const shared = { proof: 'none', mailboxes: [randomText(20)], network: randomText(8) } as const
  const ids = await Promise.all(Array.from({ length: 4 }, opened))
  for (const id of ids) await grant(id, shared)
  expect(await sumOf(ids)).toBe(4n * freeCreditsMicroUsd)
})

it('the ledger agrees', async () => {
  expect(await checkLedger(db)).toEqual([])
})
