import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { newId } from '../../../src/core/ids.ts'
import { getJob } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { useUpkeep } from './use-upkeep.ts'

const { deps, repair, oldJob, ledgerOf } = await useUpkeep()

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** An object with its row: an output of an ended job, or an upload. */
async function stored(kind: 'output' | 'upload', age: Date) {
  const job = await oldJob()
  const id = newId(kind === 'output' ? 'out' : 'upl')
  const objectKey = `${kind}s/${id}/clip.mp4`
  await deps.storage.write(objectKey, Readable.from(['x']), 'video/mp4')
  const described = { id, objectKey, fileName: 'clip.mp4', contentType: 'video/mp4' }
  if (kind === 'upload') {
    await deps.db.upload.create({ data: { ...described, accountId: job.accountId, expiresAt: age } })
  } else {
    const made = { jobId: job.id, position: 0, bytes: 1n, durationSeconds: 1, createdAt: age }
    await deps.db.output.create({ data: { ...described, ...made } })
  }
  await settleJob(deps.db, job.id, { code: 'canceled', message: 'Canceled.' })
  return { id, objectKey }
}

/** An open run without an open job. */
async function runOn(mediaKey: string) {
  return deps.db.workflowRun.create({
    data: {
      ...{ id: newId('run'), accountId: await createAccount(deps.db, 'run'), requestId: newId('req') },
      ...{ chain: 'remove-dead-space', mediaUrl: 'https://media.example/a.mp4', mediaKey, mediaSeconds: 6 },
      ...{ settings: {}, limitMicroUsd: 5_000n },
    },
  })
}

describe.each([
  ['deleteExpiredOutputs', 'output', daysAgo(31), daysAgo(29)],
  ['deleteExpiredUploads', 'upload', daysAgo(1), daysAgo(-1)],
] as const)('%s', (rule, kind, past, within) => {
  const rows = async (id: string) =>
    kind === 'output' ? deps.db.output.count({ where: { id } }) : deps.db.upload.count({ where: { id } })

  it('deletes object and row after their retention, and neither before', async () => {
    const [old, young] = [await stored(kind, past), await stored(kind, within)]
    expect(await repair(rule)).toBe(1)
    expect([await deps.storage.stat(old.objectKey), await rows(old.id)]).toEqual([undefined, 0])
    expect(await deps.storage.stat(young.objectKey)).toBeDefined()
    expect(await rows(young.id)).toBe(1)
  })

  it('waits for a job that still reads it', async () => {
    const old = await stored(kind, past)
    const reader = await oldJob()
    await deps.db.job.update({ where: { id: reader.id }, data: { mediaKey: old.objectKey } })
    expect(await repair(rule)).toBe(0)
    await settleJob(deps.db, reader.id, { code: 'canceled', message: 'Canceled.' })
    expect(await repair(rule)).toBe(1)
  })

  it('waits for a run that reads it, also between two of its steps', async () => {
    const old = await stored(kind, past)
    const { id: runId } = await runOn(old.objectKey)
    expect(await repair(rule)).toBe(0)
    await deps.db.workflowRun.update({ where: { id: runId }, data: { endedAt: new Date() } })
    expect(await repair(rule)).toBe(1)
  })

  it('keeps the row while the object cannot be deleted', async () => {
    const old = await stored(kind, past)
    const broken = async () => {
      throw new Error('storage is down')
    }
    await expect(repair(rule, { storage: { ...deps.storage, delete: broken } })).rejects.toThrow('storage is down')
    expect(await rows(old.id)).toBe(1)
    expect(await repair(rule)).toBe(1)
  })
})

it('deleteExpiredUploads gets past more uploads than a page that it cannot delete', async () => {
  const accountId = await createAccount(deps.db, 'stuck')
  const uploads = Array.from({ length: 505 }, (_, at) => ({
    ...{ id: newId('upl'), accountId, objectKey: `uploads/${accountId}/${at}`, fileName: 'a.mp4' },
    ...{ contentType: 'video/mp4', expiresAt: new Date(daysAgo(1).getTime() + at) },
  }))
  await deps.db.upload.createMany({ data: uploads })
  const stuck = new Set(uploads.slice(0, 500).map(({ objectKey }) => objectKey))
  const broken = async (key: string) => {
    if (stuck.has(key)) throw new Error('storage is down')
  }
  expect(await repair('deleteExpiredUploads', { storage: { ...deps.storage, delete: broken } })).toBe(5)
  await deps.db.upload.deleteMany({ where: { accountId } })
})

it('deleteExpiredUploads goes on while there are more than a page', async () => {
  const accountId = await createAccount(deps.db, 'many')
  const uploads = Array.from({ length: 1_100 }, (_, at) => ({
    ...{ id: newId('upl'), accountId, objectKey: `uploads/${accountId}/${at}`, fileName: 'a.mp4' },
    ...{ contentType: 'video/mp4', expiresAt: daysAgo(1) },
  }))
  await deps.db.upload.createMany({ data: uploads })
  expect(await repair('deleteExpiredUploads', { storage: { ...deps.storage, delete: async () => {} } })).toBe(1_100)
})

it('deleteExpiredUploads waits for a job that reads an upload as a picture', async () => {
  const old = await stored('upload', daysAgo(1))
  const reader = await oldJob()
  await deps.db.job.update({ where: { id: reader.id }, data: { settings: { upload_ids: [newId('upl'), old.id] } } })
  expect(await repair('deleteExpiredUploads')).toBe(0)
  await settleJob(deps.db, reader.id, { code: 'canceled', message: 'Canceled.' })
  expect(await repair('deleteExpiredUploads')).toBe(1)
})

describe('deleteExpiredJobs', () => {
  const kept = { jobRetentionDays: 90 }
  /** A job that ended at the time, as the only one of its account. */
  async function endedJob(endedAt: Date) {
    const { id } = await oldJob()
    await settleJob(deps.db, id, { code: 'canceled', message: 'Canceled.' })
    return deps.db.job.update({ where: { id }, data: { endedAt } })
  }
  const isDeleted = async ({ id }: { id: string }) => (await getJob(deps.db, id)).deletedAt !== null

  it('deletes nothing unless it is set', async () => {
    const old = await endedJob(daysAgo(4_000))
    expect(await repair('deleteExpiredJobs')).toBe(0)
    expect(await isDeleted(old)).toBe(false)
    await deps.db.job.update({ where: { id: old.id }, data: { endedAt: new Date() } })
  })

  it('deletes jobs that ended before, which finishDeletions erases down to what the ledger needs', async () => {
    const [old, young, open] = [await endedJob(daysAgo(91)), await endedJob(daysAgo(89)), await oldJob()]
    await deps.db.job.update({ where: { id: open.id }, data: { createdAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(1)
    expect(await repair('finishDeletions')).toBe(1)
    expect([await isDeleted(young), await isDeleted(open)]).toEqual([false, false])
    expect(await getJob(deps.db, old.id)).toMatchObject({
      ...{ endpoint: old.endpoint, status: 'failed', accountId: old.accountId },
      ...{ mediaUrl: null, settings: {}, error: null, deletedAt: expect.any(Date), erasedAt: expect.any(Date) },
    })
    expect(await ledgerOf(old.id)).toEqual(['hold', 'release'])
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
  })

  it('keeps a job until its outputs have expired', async () => {
    const { id } = await stored('output', daysAgo(91))
    const { jobId } = await deps.db.output.findUniqueOrThrow({ where: { id } })
    await deps.db.job.update({ where: { id: jobId }, data: { endedAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
    expect(await repair('deleteExpiredOutputs')).toBe(1)
    expect(await repair('deleteExpiredJobs', kept)).toBe(1)
  })

  it('deletes a run with its jobs, and no job before its run', async () => {
    const job = await endedJob(daysAgo(91))
    const { id: runId } = await deps.db.workflowRun.create({
      data: {
        ...{ id: newId('run'), accountId: job.accountId, requestId: job.requestId, chain: 'remove-dead-space' },
        ...{ mediaUrl: 'https://media.example/a.mp4', mediaSeconds: 6, settings: {}, limitMicroUsd: 5_000n },
        endedAt: daysAgo(89),
      },
    })
    await deps.db.job.update({ where: { id: job.id }, data: { runId } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(0)
    await deps.db.workflowRun.update({ where: { id: runId }, data: { endedAt: daysAgo(91) } })
    expect(await repair('deleteExpiredJobs', kept)).toBe(2)
    expect(await isDeleted(job)).toBe(true)
  })
})

it('forgetNotices deletes notices after a year, mailed or not', async () => {
  const accountId = await createAccount(deps.db, 'notices')
  const notice = (key: string, createdAt: Date, mailedAt: Date | null) => {
    return { id: newId('ntc'), accountId, kind: 'key_created', key, data: {}, createdAt, mailedAt }
  }
  await deps.db.notice.createMany({
    data: [
      notice('old', daysAgo(366), null),
      notice('old and mailed', daysAgo(367), daysAgo(366)),
      notice('young', daysAgo(364), null),
      notice('young and mailed', daysAgo(364), daysAgo(364)),
    ],
  })
  expect(await repair('forgetNotices')).toBe(2)
  const left = await deps.db.notice.findMany({ where: { accountId }, orderBy: { key: 'asc' } })
  expect(left.map(({ key }) => key)).toEqual(['young', 'young and mailed'])
})

describe('forgetIdempotencyKeys', () => {
  it('deletes records a day after their request', async () => {
    const accountId = await createAccount(deps.db, 'keys')
    const record = {
      accountId,
      method: 'POST',
      path: '/v1/jobs',
      bodyHash: new Uint8Array(32),
      createdId: newId('job'),
    }
    await deps.db.idempotencyRecord.createMany({
      data: [
        { ...record, key: 'old', createdAt: daysAgo(1.1) },
        { ...record, key: 'young', createdAt: daysAgo(0.9) },
      ],
    })
    expect(await repair('forgetIdempotencyKeys')).toBe(1)
    expect(await deps.db.idempotencyRecord.findMany({ where: { accountId } })).toMatchObject([{ key: 'young' }])
  })
})

it('forgetExpiredSignIns deletes expired sessions and verifications', async () => {
  const user = { id: newId('usr'), name: 'Ada', email: 'ada@example.com' }
  await deps.db.user.create({ data: user })
  for (const [name, expiresAt] of [['over', daysAgo(1)] as const, ['open', daysAgo(-1)] as const]) {
    await deps.db.session.create({ data: { id: newId('ses'), userId: user.id, token: name, expiresAt } })
    await deps.db.verification.create({ data: { id: newId('ver'), identifier: name, value: user.id, expiresAt } })
  }
  expect(await repair('forgetExpiredSignIns')).toBe(2)
  expect(await deps.db.session.findMany()).toMatchObject([{ token: 'open' }])
  expect(await deps.db.verification.findMany()).toMatchObject([{ identifier: 'open' }])
  expect(await repair('forgetExpiredSignIns')).toBe(0)
})

it('forgetUnconfirmedUsers deletes users who signed up days ago and confirmed no address', async () => {
  const old = daysAgo(3.1)
  const user = (email: string, more: object) => ({ id: newId('usr'), name: 'Bo', email, ...more })
  const users = [
    user('forgotten@example.com', { createdAt: old }),
    user('young@example.com', {}),
    user('confirmed@example.com', { createdAt: old, emailVerified: true }),
    user('with-account@example.com', { createdAt: old }),
  ]
  await deps.db.user.createMany({ data: users })
  const accountId = await createAccount(deps.db, 'owned')
  await deps.db.account.update({ where: { id: accountId }, data: { ownerId: users[3]?.id ?? '' } })
  expect(await repair('forgetUnconfirmedUsers')).toBe(1)
  const left = await deps.db.user.findMany({ where: { id: { in: users.map(({ id }) => id) } } })
  expect(left.map(({ email }) => email).toSorted()).toEqual([
    ...['confirmed@example.com', 'with-account@example.com', 'young@example.com'],
  ])
})
