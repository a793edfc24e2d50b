import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { markRunning, recordDraft } from '../../src/jobs/job-changes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { acceptClip, answerClip } from '../billing/jobs.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()
const maxUnpaidBytes = 10_000
const long = 'a'.repeat(3_000)
const canceled = { code: 'canceled', message: 'Canceled.' } as const

const accept = (accountId: string) => acceptClip(db, accountId, { seconds: 1, maxUnpaidBytes })

it('failed jobs use up the bytes that an account may store without a charge in a day, and its next job is told when to try again', async () => {
  const [accountId, other] = [await createAccount(db, 'fails'), await createAccount(db, 'other')]
  for (let count = 0; count < 2; count++) {
    const { job } = await accept(accountId)
    await db.job.update({ where: { id: job.id }, data: { settings: { text: long } } })
    await settleJob(db, job.id, canceled)
  }
  await expect(accept(accountId)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('9.8 KiB of settings and results a day'),
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 86_000 && seconds <= 86_400),
  })
  await accept(other)
})

it('a job counts as much as its rows take, even if it has no settings', async () => {
  const accountId = await createAccount(db, 'small')
  for (let count = 0; count < 4; count++) await settleJob(db, (await accept(accountId)).job.id, canceled)
  await expect(accept(accountId)).rejects.toMatchObject({ code: 'rate_limited' })
})

it('completed jobs count their result if they are free, and nothing if they are charged', async () => {
  const accountId = await createAccount(db, 'completes')
  const complete = async (billedMilliseconds: number) => {
    const { job } = await accept(accountId)
    await markRunning(db, job.id)
    await recordDraft(db, job.id, { result: { text: long }, files: [], billedMilliseconds })
    await settleJob(db, job.id)
  }
  for (let count = 0; count < 3; count++) await complete(1_000)
  for (let count = 0; count < 2; count++) await complete(0)
  await expect(accept(accountId)).rejects.toMatchObject({ code: 'rate_limited' })
})

it('jobs that one step answers count likewise', async () => {
  const accountId = await createAccount(db, 'answers')
  const { job } = await accept(accountId)
  await db.job.update({ where: { id: job.id }, data: { settings: { text: long.repeat(3) } } })
  await answerClip(db, job.id, { actualSeconds: 1, madeSeconds: 0 })
  await expect(accept(accountId)).rejects.toMatchObject({ code: 'rate_limited' })
})
