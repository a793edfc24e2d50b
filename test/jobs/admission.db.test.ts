import { describe, expect, it } from 'vitest'
import { openFreeAccount } from '../../lab/lab-stack.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { lockJob } from '../../src/db/database.ts'
import { admitWaiting, findAdmissibleAccounts } from '../../src/jobs/admission.ts'
import { requestCancellation } from '../../src/jobs/job-changes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { acceptClip, sameSlots } from '../billing/jobs.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

const failure = { code: 'server_error', message: 'Failed.' } as const

describe('slots', () => {
  it('are never assigned twice, however many jobs come and go simultaneously', async () => {
    const accountId = await createAccount(db, 'crowd')
    const slots = 3
    const jobs = await Promise.all(Array.from({ length: 12 }, () => acceptClip(db, accountId, { seconds: 1, slots })))
    const admitted = jobs.map(({ job }) => job).filter(({ admittedAt }) => admittedAt !== null)
    expect(admitted).toHaveLength(slots)
    expect(await findAdmissibleAccounts(db, sameSlots(slots), { limit: 10 })).not.toContain(accountId)
    expect(await findAdmissibleAccounts(db, sameSlots(slots + 1), { limit: 10 })).toContain(accountId)

    const ended: string[] = []
    const running = admitted.map(({ id }) => id)
    while (running.length > 0) {
      const leaving = running.splice(0)
      const next = await Promise.all(
        leaving.map(async (jobId, index) => {
          const settled = await settleJob(db, jobId, failure, index === 0 ? undefined : sameSlots(slots))
          ended.push(jobId)
          return index === 0 ? admitWaiting(db, accountId, sameSlots(slots)) : settled.admitted
        }),
      )
      running.push(...next.flat().map(({ id }) => id))
      expect(await db.job.count({ where: { accountId, endedAt: null, admittedAt: { not: null } } })).toBe(
        running.length,
      )
      expect(running.length).toBeLessThanOrEqual(slots)
    }
    expect(new Set(ended).size).toBe(12)
    expect(await db.job.count({ where: { accountId, endedAt: null } })).toBe(0)
    expect(await findAdmissibleAccounts(db, sameSlots(slots), { limit: 10 })).not.toContain(accountId)
  })

  it('are not taken by a new job before older waiting jobs', async () => {
    const accountId = await createAccount(db, 'queue')
    const { job: waiting } = await acceptClip(db, accountId, { seconds: 1, slots: 0 })
    const { job: newer } = await acceptClip(db, accountId, { seconds: 1, slots: 5 })
    expect([waiting.admittedAt, newer.admittedAt]).toEqual([null, null])
    expect((await admitWaiting(db, accountId, sameSlots(1))).map(({ id }) => id)).toEqual([waiting.id])
  })

  it('that are free are found behind any number of accounts without free slots', async () => {
    const accept = async (name: string, slots: number) => {
      const accountId = await createAccount(db, name)
      await acceptClip(db, accountId, { seconds: 1, slots: 1 })
      await acceptClip(db, accountId, { seconds: 1, slots })
      return accountId
    }
    const full = await Promise.all(Array.from({ length: 5 }, () => accept('full', 1)))
    const free = await createAccount(db, 'free')
    await acceptClip(db, free, { seconds: 1, slots: 0 })
    const found = await findAdmissibleAccounts(db, sameSlots(1), { limit: 10 })
    expect(found).toContain(free)
    expect(found.filter((accountId) => full.includes(accountId))).toEqual([])
  })

  it('are few for an account that its owner opened, until its billing is active', async () => {
    const limits = { perAccount: 3, beforePayment: 1 }
    const owned = await openFreeAccount(db)
    const vouchedFor = await createAccount(db, 'customer')
    for (const accountId of [owned, vouchedFor]) {
      for (let count = 0; count < 4; count++) await acceptClip(db, accountId, { seconds: 1, slots: 0 })
    }
    const admitted = async (accountId: string) => (await admitWaiting(db, accountId, limits)).length
    expect([await admitted(owned), await admitted(vouchedFor)]).toEqual([1, 3])
    expect(await findAdmissibleAccounts(db, limits, { limit: 100 })).not.toContain(owned)

    await activateBilling(db, owned)
    expect(await findAdmissibleAccounts(db, limits, { limit: 100 })).toContain(owned)
    expect(await admitted(owned)).toBe(2)
    expect(await findAdmissibleAccounts(db, limits, { limit: 100 })).not.toContain(owned)
  })

  it('go to the oldest job that still needs one', async () => {
    const accountId = await createAccount(db, 'order')
    const accept = async () => (await acceptClip(db, accountId, { seconds: 1, slots: 0 })).job.id
    const [canceled, oldest] = [await accept(), await accept(), await accept()]
    await requestCancellation(db, canceled)
    expect((await admitWaiting(db, accountId, sameSlots(1))).map(({ id }) => id)).toEqual([oldest])
    expect(await admitWaiting(db, accountId, sameSlots(1))).toEqual([])
  })

  it('do not wait for a job that is being deleted, which would end in a deadlock', async () => {
    const accountId = await createAccount(db, 'deletion')
    const accept = async () => (await acceptClip(db, accountId, { seconds: 1, slots: 0 })).job.id
    const [leaving, next] = [await accept(), await accept()]
    const admitted = await db.$transaction(async (tx) => {
      await lockJob(tx, leaving)
      return admitWaiting(db, accountId, sameSlots(1))
    })
    expect(admitted.map(({ id }) => id)).toEqual([next])
  })
})
