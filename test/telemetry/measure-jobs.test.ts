import { expect, it } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import { countLedgerErrors } from '../../src/telemetry/measure-jobs.ts'
import { createMetrics, ledgerTransactions } from '../../src/telemetry/metrics.ts'

async function ledgerErrors(work: () => Promise<void>) {
  const metrics = createMetrics()
  await countLedgerErrors(metrics, 'settle', work).catch(() => {})
  const { values } = await metrics.ledgerErrors.get()
  return values.find(({ labels }) => labels.transaction === 'settle')?.value
}

it('counts what breaks a ledger transaction, and no refusal', async () => {
  expect(await ledgerErrors(() => Promise.reject(new Error('connection lost')))).toBe(1)
  expect(await ledgerErrors(() => Promise.reject(new ServiceError('billing_required')))).toBe(0)
  expect(await ledgerErrors(async () => {})).toBe(0)
})

it('passes the error on', async () => {
  const broken = new Error('connection lost')
  const counted = countLedgerErrors(createMetrics(), 'hold', () => Promise.reject(broken))
  await expect(counted).rejects.toBe(broken)
})

it('shows every transaction from the start, so that a first error is an increase', async () => {
  const { values } = await createMetrics().ledgerErrors.get()
  expect(values.map(({ labels, value }) => [labels.transaction, value])).toEqual(
    ledgerTransactions.map((each) => [each, 0]),
  )
})
