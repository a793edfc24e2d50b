import { describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { freeCreditsMicroUsd } from '../../src/billing/credits.ts'
import { requestCancellation } from '../../src/jobs/job-changes.ts'
import { holdEstimate, settleJob } from '../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip, answerClip, clipPrice, draftClip, findDraft } from './jobs.ts'

const db = await openTestDatabase()

async function readAccount(accountId: string) {
  const { creditMicroUsd, heldMicroUsd, billedMicroUsd, ledger } = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { ledger: true },
  })
  return { counters: { creditMicroUsd, heldMicroUsd, billedMicroUsd }, entries: ledger }
}

const minutes = (count: number) => count * 60

describe('the ledger', () => {
  it('holds at create, captures the price and releases the rest', async () => {
    const accountId = await createAccount(db, 'one job')
    const { job } = await acceptClip(db, accountId, { seconds: minutes(3) })
    expect((await readAccount(accountId)).counters.heldMicroUsd).toBe(30_000n)

    await holdEstimate(db, job.id, () => clipPrice(150))
    expect((await readAccount(accountId)).counters.heldMicroUsd).toBe(25_000n)

    await draftClip(db, job.id, 120_000)
    const ended = await settleJob(db, job.id)
    expect(ended).toMatchObject({ status: 'completed', finalMicroUsd: 20_000n, estimatedMicroUsd: 25_000n })
    const { counters } = await readAccount(accountId)
    expect(counters).toEqual({ creditMicroUsd: freeCreditsMicroUsd - 20_000n, heldMicroUsd: 0n, billedMicroUsd: 0n })
    expect(await checkLedger(db)).toEqual([])
  })

  it('holds once for the work: media that is longer when it is inspected again is refused before the work', async () => {
    const accountId = await createAccount(db, 'changed media')
    const { job } = await acceptClip(db, accountId, { seconds: null })
    for (const seconds of [60, 60, 50]) await holdEstimate(db, job.id, () => clipPrice(seconds))
    expect((await readAccount(accountId)).counters.heldMicroUsd).toBe(10_000n)
    await expect(holdEstimate(db, job.id, () => clipPrice(61))).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
    })
    const { estimatedMicroUsd } = await db.job.findUniqueOrThrow({ where: { id: job.id } })
    expect(estimatedMicroUsd).toBeLessThanOrEqual(10_000n)
    expect((await readAccount(accountId)).counters.heldMicroUsd).toBe(10_000n)
    expect(await checkLedger(db)).toEqual([])
  })

  it('never captures more than the hold, whatever length the run reports', async () => {
    const accountId = await createAccount(db, 'more than held')
    const { job } = await acceptClip(db, accountId, { seconds: 60 })
    await draftClip(db, job.id, 600_000)
    expect((await settleJob(db, job.id)).finalMicroUsd).toBe(10_000n)
  })

  it('charges nothing for a failed job, and a second end changes nothing', async () => {
    const accountId = await createAccount(db, 'failed')
    const { job } = await acceptClip(db, accountId, { seconds: 60 })
    await draftClip(db, job.id, 60_000)
    await settleJob(db, job.id, { code: 'canceled', message: 'canceled' })
    const again = await settleJob(db, job.id)
    expect(again).toMatchObject({ status: 'failed', finalMicroUsd: 0n })
    expect(await findDraft(db, job.id)).toBeUndefined()
    expect((await readAccount(accountId)).counters.creditMicroUsd).toBe(freeCreditsMicroUsd)
  })

  it('charges nothing once a cancellation was requested, even if the work is done', async () => {
    const accountId = await createAccount(db, 'canceled')
    const canceledClip = async () => {
      const { job } = await acceptClip(db, accountId, { seconds: 60 })
      await requestCancellation(db, job.id)
      return job
    }
    const [drafted, failed, answered] = [await canceledClip(), await canceledClip(), await canceledClip()]
    await draftClip(db, drafted.id, 60_000)
    const canceled = { status: 'failed', error: { code: 'canceled' }, finalMicroUsd: 0n }
    expect(await settleJob(db, drafted.id)).toMatchObject(canceled)
    expect(await answerClip(db, answered.id, { actualSeconds: 60, madeSeconds: 60 })).toMatchObject(canceled)
    const failure = { code: 'no_audio_track', message: 'No audio.' } as const
    expect(await settleJob(db, failed.id, failure)).toMatchObject({ ...canceled, error: failure })
    expect((await readAccount(accountId)).counters.creditMicroUsd).toBe(freeCreditsMicroUsd)
    expect(await checkLedger(db)).toEqual([])
  })

  it('ends a hold once when ten settle at the same time', async () => {
    const accountId = await createAccount(db, 'race')
    const { job } = await acceptClip(db, accountId, { seconds: 60 })
    await draftClip(db, job.id, 60_000)
    const failure = { code: 'canceled', message: 'canceled' } as const
    await Promise.all(Array.from({ length: 10 }, (_, i) => settleJob(db, job.id, i % 2 ? failure : undefined)))
    const { counters, entries } = await readAccount(accountId)
    expect(entries.filter((entry) => entry.endsHoldOf === job.id)).toHaveLength(1)
    expect(await checkLedger(db)).toEqual([])
    expect(counters.heldMicroUsd).toBe(0n)
  })

  it('accepts exactly as many of 50 simultaneous jobs as the credits cover', async () => {
    const accountId = await createAccount(db, 'fifty at once')
    // 50 minutes of output cost 0.50 USD: credits of 5 USD cover ten.
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => acceptClip(db, accountId, { seconds: minutes(50) })),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(results.length - refused.length).toBe(10)
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(40).fill('billing_required'))
    const { counters } = await readAccount(accountId)
    expect(counters).toEqual({ creditMicroUsd: 0n, heldMicroUsd: freeCreditsMicroUsd, billedMicroUsd: 0n })
    expect(await checkLedger(db)).toEqual([])
  })

  it('never spends more than the credits when 50 jobs of unknown length learn it simultaneously', async () => {
    const accountId = await createAccount(db, 'unknown lengths')
    const accepted = await Promise.all(Array.from({ length: 50 }, () => acceptClip(db, accountId, { seconds: null })))
    const held = await Promise.allSettled(
      accepted.map(async ({ job }) => {
        await holdEstimate(db, job.id, () => clipPrice(minutes(50)))
        await draftClip(db, job.id, minutes(50) * 1000)
        await settleJob(db, job.id)
      }),
    )
    const refused = accepted.filter((_, index) => held[index]?.status === 'rejected')
    await Promise.all(
      refused.map(({ job }) => settleJob(db, job.id, { code: 'billing_required', message: 'no credits' })),
    )
    const { counters, entries } = await readAccount(accountId)
    const captured = entries.filter((entry) => entry.kind === 'capture')
    expect(captured.reduce((sum, entry) => sum + entry.creditMicroUsd, 0n)).toBeLessThanOrEqual(freeCreditsMicroUsd)
    expect(captured.length).toBeGreaterThan(0)
    expect(counters.creditMicroUsd).toBeGreaterThanOrEqual(0n)
    expect(counters.heldMicroUsd).toBe(0n)
    expect(await checkLedger(db)).toEqual([])
  })
})
