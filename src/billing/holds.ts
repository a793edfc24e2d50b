import { ServiceError } from '../core/errors.ts'
import { billingMonth, type MicroUsd, minMicroUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import { assertWithinKeyCaps } from './key-caps.ts'
import { type Amount, amountOf, append, type LedgerEntry } from './ledger.ts'
import { spentInMonth } from './months.ts'
import { assertWithinRun } from './run-limit.ts'
import { notifySpendThresholds } from './spend-alerts.ts'

/** The hold at create while the length of the media is unknown: 0.02 USD. */
export const provisionalHoldMicroUsd: MicroUsd = 20_000n

const nothing: Amount = { credit: 0n, billable: 0n }

/** Who pays for a job. */
interface Payer {
  readonly accountId: string
  /** The key that created the job; null if none did. */
  readonly keyId: string | null
}

interface HeldJob extends Payer {
  readonly jobId: string
}

/**
 * Holds an amount in the current month. Throws `spend_cap_reached` if it would exceed a cap of the month, `billing_required`
 * if the credits do not cover it and billing is not active. The caller holds the account's row lock.
 */
export async function placeHold(tx: Transaction, job: HeldJob, amountMicroUsd: MicroUsd): Promise<void> {
  const { accountId, jobId } = job
  const month = billingMonth(new Date())
  const amount = await admitJob(tx, { ...job, amountMicroUsd, month })
  await append(tx, { accountId, jobId, kind: 'hold', step: 'create', amount, month })
}

/**
 * Raises or lowers a job's hold to its estimate; a raise is refused like a hold. A repeated step changes nothing, and
 * throws `media_unreachable` if the media it finds costs more than the hold.
 */
export async function fitHold(tx: Transaction, job: HeldJob, estimate: MicroUsd): Promise<void> {
  const { accountId, jobId } = job
  const entries = await tx.ledgerEntry.findMany({ where: { jobId } })
  const { held, month } = holdOf(entries)
  const raise = estimate - sumOfParts(held)
  if (entries.some((entry) => entry.step === 'estimate')) {
    if (raise > 0n) throw longerThanHeld()
    return
  }
  const whose = { accountId, jobId }
  await lockAccount(tx, accountId)
  if (raise > 0n) {
    // In the month of the hold, even if that is over: a job is charged, and counts against the cap, in one month.
    const amount = await admitJob(tx, { ...job, amountMicroUsd: raise, month })
    await append(tx, { ...whose, kind: 'hold', step: 'estimate', amount, month })
  } else {
    const amount = minus(held, firstOf(held, estimate))
    await append(tx, { ...whose, kind: 'release', step: 'estimate', amount, month })
  }
}

/** Ends a job's hold: captures up to `captureMicroUsd` of it, releases the rest, and returns the captured amount. */
export async function endHold(
  tx: Transaction,
  accountId: string,
  jobId: string,
  captureMicroUsd: MicroUsd | null,
): Promise<MicroUsd> {
  const { held, month } = holdOf(await tx.ledgerEntry.findMany({ where: { jobId } }))
  const whose = { accountId, jobId, month }
  await lockAccount(tx, accountId)
  if (captureMicroUsd === null) {
    await append(tx, { ...whose, kind: 'release', step: 'finish', amount: held, endsHold: true })
    return 0n
  }
  const captured = firstOf(held, captureMicroUsd)
  const rest = minus(held, captured)
  await append(tx, { ...whose, kind: 'capture', step: 'finish', amount: captured, endsHold: true })
  if (sumOfParts(rest) > 0n) await append(tx, { ...whose, kind: 'release', step: 'finish/rest', amount: rest })
  await notifySpendThresholds(tx, accountId, month)
  return sumOfParts(captured)
}

/** Throws as `placeHold` would for a job outside a run. Holds nothing. */
export async function assertCanHold(db: Database, payer: Payer, amountMicroUsd: MicroUsd): Promise<void> {
  await admit(db, { ...payer, amountMicroUsd, month: billingMonth(new Date()) })
}

interface AdmitInput extends Payer {
  readonly amountMicroUsd: MicroUsd
  readonly month: string
}

/** The gates before a hold: the limit of the job's run, then those of its payer. Free jobs pass all of them. */
async function admitJob(tx: Transaction, { jobId, ...input }: AdmitInput & HeldJob): Promise<Amount> {
  if (input.amountMicroUsd > 0n) await assertWithinRun(tx, jobId, input.amountMicroUsd)
  return admit(tx, input)
}

/** The gates of the payer, in order: caps of keys, cap of the account, free credits, active billing. */
async function admit(tx: Database | Transaction, input: AdmitInput): Promise<Amount> {
  const { accountId, amountMicroUsd, month } = input
  if (amountMicroUsd === 0n) return nothing
  await assertWithinKeyCaps(tx, input)
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  const { captured, held } = await spentInMonth(tx, accountId, month)
  const cap = account.monthlyCapMicroUsd
  if (cap !== null && captured + held + amountMicroUsd > cap) throw new ServiceError('spend_cap_reached')
  const credit = minMicroUsd(account.creditMicroUsd, amountMicroUsd)
  const billable = amountMicroUsd - credit
  if (billable > 0n && account.billingStatus !== 'active') throw new ServiceError('billing_required')
  return { credit, billable }
}

function longerThanHeld(): ServiceError {
  return new ServiceError(
    'media_unreachable',
    'The media URL served a longer file when it was read again. Use one that always serves the same, or upload the file.',
    { retryable: false },
  )
}

/** The amount that a job holds, and the month of its first hold. */
function holdOf(entries: readonly LedgerEntry[]): { readonly held: Amount; readonly month: string } {
  const first = entries.find(({ kind }) => kind === 'hold')
  const held = entries
    .map(signedAmountOf)
    .reduce(
      (sum, { credit, billable }) => ({ credit: sum.credit + credit, billable: sum.billable + billable }),
      nothing,
    )
  return { held, month: first?.month ?? billingMonth(new Date()) }
}

function signedAmountOf(entry: LedgerEntry): Amount {
  return entry.kind === 'hold' ? amountOf(entry) : minus(nothing, amountOf(entry))
}

/** At most `amount` of the hold, credits before the billable part. */
function firstOf(held: Amount, amount: MicroUsd): Amount {
  const credit = minMicroUsd(held.credit, amount)
  return { credit, billable: minMicroUsd(held.billable, amount - credit) }
}

function minus(from: Amount, amount: Amount): Amount {
  return { credit: from.credit - amount.credit, billable: from.billable - amount.billable }
}

function sumOfParts({ credit, billable }: Amount): MicroUsd {
  return credit + billable
}
