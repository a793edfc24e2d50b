import { expect, it } from 'vitest'
import { forgetOpenWaits } from '../../../src/accounts/credentials.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { forgetQuotaWindows } from '../../../src/accounts/quotas.ts'
import { forgetExpired } from '../../../src/accounts/sign-in-options.ts'
import { deleteOldBillingEvents } from '../../../src/billing/provider/open-provider.ts'
import { newId } from '../../../src/core/ids.ts'
import { deleteOldWorkerEnds } from '../../../src/jobs/attempts.ts'
import { deleteOldIdempotencyKeys } from '../../../src/jobs/idempotency.ts'
import { deleteOldProbes } from '../../../src/jobs/probes.ts'
import { deleteOldNotices } from '../../../src/mail/notices.ts'
import { openTestDatabase } from '../../setup/database.ts'

const db = await openTestDatabase()
const accountId = await createAccount(db, 'forgetful')
const user = { id: newId('usr'), name: 'Ada', email: 'forgetful@example.com' }
await db.user.create({ data: user })
const createdAt = new Date(0)
const expiresAt = createdAt
const endsAt = createdAt

it.each([
  {
    rows: 'Idempotency-Keys',
    add: (key: string) =>
      db.idempotencyRecord.create({
        data: {
          ...{ accountId, key, createdAt, createdId: key, method: 'POST', path: '/v1/jobs' },
          bodyHash: new Uint8Array(32),
        },
      }),
    remove: (limit: number) => deleteOldIdempotencyKeys(db, limit),
  },
  {
    rows: 'probes',
    add: (id: string) => db.probe.create({ data: { id, accountId, createdAt, mediaUrl: 'https://a.example/a.mp3' } }),
    remove: (limit: number) => deleteOldProbes(db, limit),
  },
  {
    rows: 'ends of workers',
    add: (id: string) =>
      db.workerEnd.create({ data: { id, subjectId: '', isCause: false, worker: '7@host', endedAt: createdAt } }),
    remove: (limit: number) => deleteOldWorkerEnds(db, limit),
  },
  {
    rows: 'notices',
    add: (key: string) => db.notice.create({ data: { id: key, accountId, kind: 'test', key, data: {}, createdAt } }),
    remove: (limit: number) => deleteOldNotices(db, limit),
  },
  {
    rows: 'billing events',
    add: (id: string) => db.billingEvent.create({ data: { id, type: 'test', createdAt } }),
    remove: (limit: number) => deleteOldBillingEvents(db, limit),
  },
  {
    rows: 'sessions',
    add: (id: string) => db.session.create({ data: { id, token: id, userId: user.id, expiresAt } }),
    remove: (limit: number) => forgetExpired(db, new Date(), limit),
  },
  {
    rows: 'verifications',
    add: (id: string) => db.verification.create({ data: { id, identifier: id, value: user.id, expiresAt } }),
    remove: (limit: number) => forgetExpired(db, new Date(), limit),
  },
  {
    rows: 'quotas',
    add: (subject: string) => db.quotaWindow.create({ data: { subject, used: 1n, endsAt } }),
    remove: (limit: number) => forgetQuotaWindows(db, limit),
  },
  {
    rows: 'open waits',
    add: (id: string) => db.openWait.create({ data: { id, accountId, endsAt } }),
    remove: (limit: number) => forgetOpenWaits(db, limit),
  },
])('one statement deletes no more $rows than its limit, and the next ones the rest', async ({ add, remove }) => {
  for (const name of ['a', 'b', 'c']) await add(name)
  expect(await remove(2)).toBe(2)
  expect(await remove(2)).toBe(1)
  expect(await remove(2)).toBe(0)
})
