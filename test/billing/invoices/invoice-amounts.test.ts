import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsToMicroUsd, type InvoiceAmount, invoiceAmounts } from '../../../src/billing/invoices/invoice-amounts.ts'

const month = (at: number) => `2026-${String(at).padStart(2, '0')}`

describe('an invoice', () => {
  it('is rounded down to a cent, and the next one has the rest', () => {
    const first = invoiceAmounts(1_239_999n, [{ month: '2026-10', billableMicroUsd: 1_239_999n, invoicedMicroUsd: 0n }])
    expect(first).toEqual({
      amountCents: 123n,
      lines: [{ month: '2026-10', fromMicroUsd: 0n, toMicroUsd: 1_239_999n, amountCents: 123n }],
    })
    const owed = 1_239_999n + 500_001n - centsToMicroUsd(first.amountCents)
    const second = invoiceAmounts(owed, [
      { month: '2026-11', billableMicroUsd: 500_001n, invoicedMicroUsd: 0n },
      { month: '2026-10', billableMicroUsd: 1_239_999n, invoicedMicroUsd: 1_239_999n },
    ])
    expect(second.amountCents).toBe(51n)
    expect(second.lines).toEqual([{ month: '2026-11', fromMicroUsd: 0n, toMicroUsd: 500_001n, amountCents: 51n }])
  })

  it('has a line for corrections, also below zero', () => {
    const { amountCents, lines } = invoiceAmounts(7_500_000n, [
      { month: '2026-10', billableMicroUsd: 10_000_000n, invoicedMicroUsd: 0n },
    ])
    expect(amountCents).toBe(750n)
    expect(lines.map((line) => [line.month, line.amountCents])).toEqual([
      [null, -250n],
      ['2026-10', 1_000n],
    ])
  })

  it('charges what the ledger billed, to less than a cent, however often and late it is written', () => {
    const amount = fc.bigInt({ min: 0n, max: 3_000_000n })
    const happening = fc.oneof(
      fc.record({ is: fc.constant('use' as const), at: fc.integer({ min: 1, max: 12 }), amount }),
      fc.record({ is: fc.constant('correct' as const), amount: fc.bigInt({ min: -1_000_000n, max: 1_000_000n }) }),
      fc.record({ is: fc.constant('close' as const), at: fc.integer({ min: 1, max: 12 }) }),
    )
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const used = new Map<string, bigint>()
        const lines: InvoiceAmount[] = []
        let [billed, charged] = [0n, 0n]
        for (const each of [...happenings, { is: 'close' as const, at: 12 }]) {
          if (each.is === 'use') used.set(month(each.at), (used.get(month(each.at)) ?? 0n) + each.amount)
          if (each.is !== 'close') {
            billed += each.amount
            continue
          }
          const months = [...used].map(([name, billableMicroUsd]) => {
            const invoiced = lines.filter((line) => line.month === name)
            const invoicedMicroUsd = invoiced.reduce(
              (sum, { fromMicroUsd, toMicroUsd }) => sum + toMicroUsd - fromMicroUsd,
              0n,
            )
            return { month: name, billableMicroUsd, invoicedMicroUsd }
          })
          const until = months.filter((one) => one.month <= month(each.at))
          const later = months.filter((one) => one.month > month(each.at))
          const owed = billed - charged - later.reduce((sum, one) => sum + one.billableMicroUsd, 0n)
          const invoice = invoiceAmounts(owed, until)
          expect(invoice.lines.reduce((sum, line) => sum + line.amountCents, 0n)).toBe(invoice.amountCents)
          const rest = owed - centsToMicroUsd(invoice.amountCents)
          expect(rest >= 0n && rest < 10_000n).toBe(true)
          // Less than 0.50 USD, or less than nothing, waits.
          if (invoice.amountCents < 50n) continue
          charged += centsToMicroUsd(invoice.amountCents)
          lines.push(...invoice.lines)
        }
        const left = billed - charged
        expect(left < 500_000n).toBe(true)
        for (const [name, total] of used) {
          const ranges = lines.filter((line) => line.month === name)
          const ends = [0n, ...ranges.map(({ toMicroUsd }) => toMicroUsd)]
          expect(ranges.map(({ fromMicroUsd }) => fromMicroUsd)).toEqual(ends.slice(0, -1))
          expect((ends.at(-1) ?? 0n) <= total).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
