import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { deleteBatch, deleteOldBatches, findOpenRuns } from '../../src/batches/batches.ts'
import { countItems, listItems, releaseFailed } from '../../src/batches/items.ts'
import { errorTable } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { eraseRun } from '../../src/jobs/erase.ts'
import { openTestDatabase } from '../setup/database.ts'
import { newBatch } from './new-batch.ts'

const db = await openTestDatabase()
const keyOf = (id: string) => db.apiKey.findUniqueOrThrow({ where: { id } })

it('a deletion revokes the key and empties its name in the transaction that deletes the batch', async () => {
  const accountId = await createAccount(db, 'deletes')
  const ids = await Promise.all([newBatch(db, { accountId, kind: 'dir' }), newBatch(db, { accountId, kind: 'bat' })])
  await db.batch.updateMany({ data: { endedAt: new Date() } })
  for (const id of ids) {
    expect(await keyOf(id)).toMatchObject({ name: 'the archive', revokedAt: null })
    // As a process that is killed before it revokes the key.
    await db.$executeRaw`ALTER TABLE api_keys ADD CONSTRAINT killed CHECK (revoked_at IS NULL) NOT VALID`
    await expect(deleteBatch(db, { id, accountId })).rejects.toThrow()
    expect(await db.batch.count({ where: { id } })).toBe(1)
    await db.$executeRaw`ALTER TABLE api_keys DROP CONSTRAINT killed`
    await deleteBatch(db, { id, accountId })
    expect(await db.batch.count({ where: { id } })).toBe(0)
    expect(await keyOf(id)).toMatchObject({ name: '', revokedAt: expect.any(Date) })
  }
})

it('batches that are deleted by age leave neither a name nor the contents of their events', async () => {
  const accountId = await createAccount(db, 'forgets')
  const [old, older, recent] = await Promise.all(
    Array.from({ length: 3 }, () => newBatch(db, { accountId, kind: 'bat' })),
  )
  const endedAt = new Date(Date.now() - 86_400_000)
  await db.batch.updateMany({ where: { id: { in: [old ?? '', older ?? ''] } }, data: { endedAt, retries: 1 } })
  const subjects = [old, `${old}/1`, older, recent]
  await db.event.createMany({
    data: subjects.map((id) => ({
      id: newId('evt'),
      accountId,
      type: 'batch.completed',
      subjectId: `${id}`,
      payload: '{}',
    })),
  })
  const before = new Date(endedAt.getTime() + 1000)
  expect([await deleteOldBatches(db, before, 1), await deleteOldBatches(db, before, 10)]).toEqual([1, 1])
  expect(await db.batch.findMany({ where: { accountId }, select: { id: true } })).toEqual([{ id: recent }])
  const names = await db.apiKey.findMany({ where: { accountId }, select: { name: true }, orderBy: { name: 'asc' } })
  expect(names.map(({ name }) => name)).toEqual(['', '', 'the archive'])
  const events = await db.event.findMany({ where: { accountId }, orderBy: { position: 'asc' } })
  expect(events.map(({ payload }) => payload)).toEqual(['', '', '', '{}'])
})

it('a cancelation of a batch finds its open runs, and not those that are being deleted', async () => {
  const accountId = await createAccount(db, 'cancels')
  const id = await newBatch(db, { accountId })
  const run = { accountId, apiKeyId: id, requestId: '', chain: 'audio/detect-silence', mediaUrl: '', settings: {} }
  const ends = [{}, { deletedAt: new Date() }, { endedAt: new Date() }]
  const runs = ends.map((end) => ({ ...run, ...end, id: newId('run'), limitMicroUsd: 0n }))
  await db.workflowRun.createMany({ data: runs })
  expect(await findOpenRuns(db, id)).toEqual([{ id: runs[0]?.id }])
})

it('an item whose failed run was deleted stays failed without its media, and is not tried again', async () => {
  const accountId = await createAccount(db, 'counts')
  const id = await newBatch(db, { accountId })
  const runId = newId('run')
  const error = { code: 'media_unreachable', message: 'media.example: not found' }
  await db.workflowRun.create({
    data: {
      ...{
        id: runId,
        accountId,
        apiKeyId: id,
        requestId: '',
        chain: 'audio/detect-silence',
        mediaUrl: '',
        settings: {},
      },
      ...{ limitMicroUsd: 0n, error, endedAt: new Date(), deletedAt: new Date() },
    },
  })
  await db.batchItem.updateMany({ where: { batchId: id }, data: { runId } })
  const listed = () => listItems(db, id, { limit: 1 })
  expect(await listed()).toMatchObject([{ mediaUrl: null, runId: null, error }])
  expect(await eraseRun({ db }, runId)).toBe(true)
  expect(await db.batchItem.findMany({ where: { batchId: id } })).toMatchObject([{ mediaUrl: null, runId }])
  expect((await countItems(db, [id]))(id)).toMatchObject({ completed: 0, failed: 1 })
  const { message } = errorTable.media_unreachable
  expect(await listed()).toMatchObject([{ error: { code: error.code, message } }])
  expect(await releaseFailed(db, id)).toBe(0)
})
