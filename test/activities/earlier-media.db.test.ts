import { expect, it } from 'vitest'
import { findOtherMedia } from '../../activities/run-context.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { getJob } from '../../src/jobs/job-rows.ts'
import { acceptClip } from '../billing/jobs.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

/** A job on media with this name, and its row. */
async function jobOn(accountId: string, mediaName: string, status: 'completed' | 'running') {
  const { job } = await acceptClip(db, accountId, { seconds: 1 })
  await db.job.update({
    where: { id: job.id },
    data: { mediaName, mediaUrl: `https://a.example/${mediaName}`, status },
  })
  return getJob(db, job.id)
}

it('an earlier job of other media is noticed by the name, within the account', async () => {
  const accountId = await createAccount(db, 'captions')
  const clip = await jobOn(accountId, 'interview.mp4', 'running')
  const [other, same] = [
    await jobOn(accountId, 'talk.mp3', 'completed'),
    await jobOn(accountId, 'interview.mp3', 'completed'),
  ]
  expect(await findOtherMedia({ db }, clip, other.id)).toEqual({ earlier: 'talk.mp3', own: 'interview.mp4' })
  expect(await findOtherMedia({ db }, clip, same.id)).toBeUndefined()
  const foreign = await jobOn(await createAccount(db, 'stranger'), 'talk.mp3', 'completed')
  await expect(findOtherMedia({ db }, clip, foreign.id)).rejects.toMatchObject({ code: 'not_found' })
})
