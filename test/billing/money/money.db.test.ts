import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { type Database, openDatabase } from '../../../src/db/database.ts'
import { createTestDatabase } from '../../setup/database.ts'
import { openModelAccount } from './account.ts'
import type { Model } from './model.ts'
import { anyLife, type Step } from './steps.ts'

// Long ago, so that real times are never close to the test's clock.
const start = new Date('2020-01-15T12:00:00Z')
const sequences = Number(process.env['MONEY_SEQUENCES'] ?? 100)
/** Sequences per database: the whole ledger is checked after each. */
const perDatabase = 50

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const clock = {
  nextMonth: () => {
    const now = new Date()
    vi.setSystemTime(now.setUTCMonth(now.getUTCMonth() + 1))
  },
}

it(
  `no order of steps, crashes and repetitions moves money otherwise than its model: ${sequences} sequences`,
  async () => {
    for (let done = 0; done < sequences; done += perDatabase) {
      const database = await createTestDatabase()
      const db = openDatabase(database.url, { poolSize: 2 })
      const numRuns = Math.min(perDatabase, sequences - done)
      try {
        await fc.assert(
          fc.asyncProperty(anyLife, (steps) => follow(db, steps)),
          // Shrinking a sequence takes minutes: to shrink, run again without this and with the printed seed.
          { numRuns, endOnFailure: true },
        )
      } finally {
        await db.$disconnect()
        await database.drop()
      }
    }
  },
  sequences * 2_000 + 30_000,
)

async function follow(db: Database, steps: readonly Step[]): Promise<void> {
  vi.setSystemTime(start)
  const account = await openModelAccount(db, clock)
  let before = await readMoney(db, account.accountId)
  for (const step of steps) {
    const { outcome, expected } = await account.run(step)
    expect(outcome).toBe(expected)
    const now = await readMoney(db, account.accountId)
    expect(now).toEqual(moneyOf(account.model))
    expect(now.credit >= 0n && now.held >= 0n).toBe(true)
    for (const [month, { held, captured }] of Object.entries(now.months)) {
      const { held: heldBefore = 0n, captured: capturedBefore = 0n } = before.months[month] ?? {}
      const hasGrown = held + captured > heldBefore + capturedBefore
      if (hasGrown && now.cap !== null) expect(held + captured).toBeLessThanOrEqual(now.cap)
    }
    before = now
  }
  const ends = await db.job.findMany({ where: { accountId: account.accountId } })
  for (const [index, { end, captured }] of account.model.jobs.entries()) {
    const job = ends.find(({ id }) => id === account.jobIds[index])
    expect([job?.endedAt !== null, job?.finalMicroUsd]).toEqual([end !== undefined, end ? captured : null])
    if (end) expect(job?.status).toBe(end)
  }
  expect(await checkLedger(db)).toEqual([])
}

interface Money {
  readonly credit: bigint
  readonly billed: bigint
  readonly held: bigint
  readonly cap: bigint | null
  readonly months: Readonly<Record<string, { readonly held: bigint; readonly captured: bigint }>>
}

async function readMoney(db: Database, id: string): Promise<Money> {
  const { months, ...account } = await db.account.findUniqueOrThrow({ where: { id }, include: { months: true } })
  return {
    credit: account.creditMicroUsd,
    billed: account.billedMicroUsd,
    held: account.heldMicroUsd,
    cap: account.monthlyCapMicroUsd,
    months: Object.fromEntries(
      months.map((month) => [
        month.month,
        {
          held: month.heldCreditMicroUsd + month.heldBillableMicroUsd,
          captured: month.capturedCreditMicroUsd + month.capturedBillableMicroUsd,
        },
      ]),
    ),
  }
}

function moneyOf({ credit, billed, cap, months }: Model): Money {
  const held = [...months.values()].reduce((sum, month) => sum + month.held, 0n)
  return { credit, billed, held, cap, months: Object.fromEntries(months) }
}
