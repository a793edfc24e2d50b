import { Readable } from 'node:stream'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import type { Api, TestAccount } from '../api.ts'

/** The API's body of a completed clip job with stored files, ended like a worker ends it; `found` is more of its result. */
export async function presentDraft(api: Api, account: TestAccount, files = 1, hasPosters = false, found: object = {}) {
  const jobId = await account.create({ endpoint: 'video/clip-window', start: 1, end: 3 })
  await markRunning(api.db, jobId)
  const stored = await Promise.all(
    Array.from({ length: files }, async (_, index) => {
      const objectKey = `outputs/${jobId}/1/clip-${index}.mp4`
      const { bytes } = await api.storage.write(objectKey, Readable.from([`clip ${index}`]), 'video/mp4')
      const fileName = `clip-${index}.mp4`
      return { objectKey, fileName, contentType: 'video/mp4', bytes, durationSeconds: 2, width: 640, height: 360 }
    }),
  )
  const withPosters = stored.flatMap((file) => {
    const picture = {
      fileName: file.fileName.replace('mp4', 'jpg'),
      contentType: 'image/jpeg',
      role: 'preview' as const,
    }
    return hasPosters ? [file, { ...file, ...picture, objectKey: file.objectKey.replace('mp4', 'jpg') }] : [file]
  })
  for (const { objectKey, role } of withPosters.map((file) => ({ role: '', ...file }))) {
    if (role) await api.storage.write(objectKey, Readable.from([`picture of ${objectKey.slice(-5)}`]), 'image/jpeg')
  }
  const receipts = stored.map((_, index) => ({ number: index }))
  const result = { media_seconds: 10, receipt: receipts[0] ?? null, receipts, ...found }
  await recordDraft(api.db, jobId, { result, files: withPosters, billedMilliseconds: 2_000 })
  await settleJob(api.db, jobId)
  return (await account.get(`/v1/jobs/${jobId}`)).body.job
}

/** A completed silence job with its preview. */
export async function presentPreviewed(api: Api, account: TestAccount) {
  const jobId = await account.create({ endpoint: 'audio/detect-silence', start: 1, end: 3 })
  await markRunning(api.db, jobId)
  const objectKey = `outputs/${jobId}/1/preview.svg`
  const { bytes } = await api.storage.write(objectKey, Readable.from(['<svg/>']), 'image/svg+xml')
  const described = { role: 'preview' as const, fileName: 'preview.svg', contentType: 'image/svg+xml' }
  const file = { objectKey, ...described, bytes, durationSeconds: 0, width: null, height: null }
  await recordDraft(api.db, jobId, { result: { media_seconds: 10 }, files: [file], billedMilliseconds: 2_000 })
  await settleJob(api.db, jobId)
  return (await account.get(`/v1/jobs/${jobId}`)).body.job
}
