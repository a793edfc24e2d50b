import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { startItems } from '../../activities/start-items.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { createUpload } from '../../src/uploads/uploads.ts'
import { newBatch } from '../batches/new-batch.ts'
import { useDependencies } from './use-dependencies.ts'

const deps = await useDependencies()

it('an item whose media cannot be read for the moment waits, and those after it start', async () => {
  const accountId = await createAccount(deps.db, 'batches')
  const id = newId('upl')
  const objectKey = `uploads/${id}/media.wav`
  const expiresAt = new Date(Date.now() + 1e6)
  await createUpload(deps.db, { id, accountId, objectKey, fileName: 'a.wav', contentType: 'audio/wav', expiresAt })
  const mediaUrls = [`${deps.config.BASE_URL}/v1/media/${id}`, 'https://media.example/2.mp4']
  const batchId = await newBatch(deps.db, { accountId, mediaUrls })

  const stat = async () => Promise.reject(new ServiceError('service_unavailable'))
  const turn = () => startItems({ ...deps, storage: { ...deps.storage, stat } }, { accountId })
  expect(await new MockActivityEnvironment().run(turn)).toEqual({ nextInMs: 15_000 })
  const items = await deps.db.batchItem.findMany({ where: { batchId }, orderBy: { id: 'asc' } })
  expect(items).toMatchObject([
    { runId: null, error: null },
    { runId: expect.any(String), error: null },
  ])
})
