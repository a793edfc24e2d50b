import { Readable } from 'node:stream'
import type { Dependencies } from '../../activities/dependencies.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { grantCredits } from '../../src/billing/credits.ts'
import { createBrand } from '../../src/brands/brands.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { acceptJob, acceptRun } from '../../src/jobs/accept.ts'
import { analysisSource, piecesFolder, saveAnalysis, stageFolder } from '../../src/jobs/analysis-rows.ts'
import { recordDraft, recordMediaInfo } from '../../src/jobs/job-changes.ts'
import type { MediaReference } from '../../src/jobs/job-rows.ts'
import { createProbe } from '../../src/jobs/probes.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { settleRun } from '../../src/jobs/start-and-end.ts'
import { addNotice } from '../../src/mail/notices.ts'
import { createShare } from '../../src/shares/shares.ts'
import { createUpload } from '../../src/uploads/uploads.ts'
import { sameSlots } from '../billing/jobs.ts'
import { plainBrand } from '../setup/plain-brand.ts'

type Deps = Pick<Dependencies, 'db' | 'storage' | 'mailer'>

const info = {
  format: 'mp4',
  durationSeconds: 10,
  bytes: 100,
  audio: [{ codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true }],
  video: null,
} as const

/** A person with an account that has one of everything, every text of which contains `needle`. */
export async function createPerson({ db, storage, mailer }: Deps) {
  const needle = `needle${randomText(16).toLowerCase()}`
  const email = `${needle}@example.com`
  const [accountId, userId] = [newId('acct'), newId('usr')]
  await db.user.create({ data: { id: userId, name: needle, email, emailVerified: true } })
  await db.account.create({ data: { id: accountId, name: needle, ownerId: userId } })
  await db.$transaction((tx) => grantCredits(tx, accountId))
  await db.session.create({
    data: { id: newId('ses'), userId, token: `${needle}`, userAgent: needle, expiresAt: new Date(Date.now() + 1e6) },
  })
  await db.signInMethod.create({
    data: { id: newId('sim'), userId, providerId: 'credential', accountId: needle, password: needle },
  })
  await db.verification.create({
    data: { id: newId('ver'), identifier: needle, value: userId, expiresAt: new Date(Date.now() + 1e6) },
  })
  const { keyId, token } = await createKey(db, { accountId, name: needle })
  await db.$transaction((tx) =>
    addNotice(tx, { accountId, kind: 'key_created', key: keyId, data: { key_id: keyId, name: needle, scope: 'all' } }),
  )
  await mailer?.send({ to: email, subject: needle, text: needle })

  const uploadId = newId('upl')
  const key = `uploads/${uploadId}/media.mp4`
  const expiresAt = new Date(Date.now() + 1e9)
  await createUpload(db, {
    id: uploadId,
    accountId,
    objectKey: key,
    fileName: `${needle}.mp4`,
    contentType: 'video/mp4',
    expiresAt,
  })
  const { generation } = await storage.write(key, Readable.from([`first bytes of ${needle}`]), 'video/mp4')
  await createBrand(db, accountId, { ...plainBrand, name: needle })
  const uploaded = { url: `http://127.0.0.1/v1/media/${uploadId}`, object: { key, generation }, name: `${needle}.mp4` }
  const linked = { url: `https://media.example/${needle}.mp4`, object: null, name: `${needle}.mp4` }
  await createProbe(db, accountId, linked)

  const jobInput = (media: MediaReference) => ({
    jobId: newId('job'),
    accountId,
    apiKeyId: keyId,
    requestId: newId('req'),
    endpoint: 'video/clip-window',
    rateMicroUsdPerMinute: 10_000n,
    maxPriceMicroUsd: 1_000n,
    window: { startSeconds: 1, endSeconds: 7 },
    settings: { words: needle },
    warnings: [needle],
    reference: media,
    traceParent: needle,
    slotLimits: sameSlots(100),
    maxWaitingJobs: 100,
  })
  const accept = async (media: MediaReference) => {
    const input = jobInput(media)
    const bodyHash = new Uint8Array(32)
    const idempotency = { method: 'POST', path: '/v1/jobs', key: `${needle}${input.jobId}`, bodyHash }
    const { job } = await acceptJob(db, { ...input, idempotency })
    return job
  }
  /** Leaves the draft of a finished run activity, with a file and its envelope's analysis. */
  const work = async (jobId: string, media: MediaReference) => {
    await db.job.update({ where: { id: jobId }, data: { status: 'running', startedAt: new Date() } })
    await recordMediaInfo(db, jobId, info, 'v1')
    const analysisId = newId('ana')
    const folder = `analyses/${analysisId}`
    await stageFolder(db, jobId, folder)
    await storage.write(`${folder}/envelope`, Readable.from([`envelope of ${needle}`]), 'application/octet-stream')
    const named = {
      accountId,
      source: analysisSource(media),
      version: jobId,
      format: 1,
      trackIndex: 0,
      startMs: 0,
      endMs: 10,
    }
    await saveAnalysis(db, { ...named, id: analysisId, objectKey: `${folder}/envelope`, mediaInfo: info }, folder)
    const output = `outputs/${jobId}/1-a/clip.mp4`
    await stageFolder(db, jobId, `outputs/${jobId}/1-a`)
    const { bytes } = await storage.write(output, Readable.from([`output of ${needle}`]), 'video/mp4')
    const file = { objectKey: output, fileName: `${needle}-clip.mp4`, contentType: 'video/mp4', bytes }
    const described = { ...file, durationSeconds: 1, width: null, height: null }
    await recordDraft(db, jobId, { result: { words: needle }, files: [described], billedMilliseconds: 6_000 })
    return output
  }
  const complete = async (media: MediaReference) => {
    const { id } = await accept(media)
    const output = await work(id, media)
    await stageFolder(db, id, piecesFolder(id, 'a1'))
    await storage.write(`${piecesFolder(id, 'a1')}/0`, Readable.from([`piece of ${needle}`]), 'video/mp4')
    await settleJob(db, id)
    return { id, output }
  }
  const completed = [await complete(uploaded), await complete(linked)]
  for (const { id: subjectId } of completed) {
    const allowed = { allowDownload: true, allowEmbed: true, includeSource: true, includeTranscript: true }
    await createShare(db, { accountId, apiKeyId: keyId, subjectId, work: 'video/clip-window', expiresAt, ...allowed })
  }
  const failed = await accept(linked)
  await settleJob(db, failed.id, { code: 'media_unreachable', message: `no ${needle}` })
  const open = await accept(linked)

  const runId = newId('run')
  const firstJob = jobInput(uploaded)
  const { limitMicroUsd, ...run } = {
    ...{ id: runId, accountId, apiKeyId: keyId, requestId: newId('req'), chain: 'remove-dead-space', mediaSeconds: 10 },
    ...{ mediaUrl: uploaded.url, mediaKey: key, mediaGeneration: generation, mediaName: uploaded.name },
    ...{ settings: { words: needle }, warnings: [needle], limitMicroUsd: 10_000n },
  }
  await acceptRun(db, { run: { ...run, limitMicroUsd }, firstJob })
  await work(firstJob.jobId, uploaded)
  await settleJob(db, firstJob.jobId)
  await settleRun(db, { runId, lastJobId: firstJob.jobId })
  const labels = { metadata: { title: needle } }
  await db.job.updateMany({ where: { accountId }, data: { ...labels, givenSettings: [needle] } })
  await db.workflowRun.updateMany({
    where: { accountId },
    data: { ...labels, traceParent: needle, error: { code: 'server_error', message: needle } },
  })
  // What could still write has had its time.
  await db.job.updateMany({
    where: { accountId, endedAt: { not: null } },
    data: { endedAt: new Date(Date.now() - 60_000) },
  })
  return { needle, email, accountId, userId, token, uploadId, uploaded, completed, open, runId, accept, work, jobInput }
}

export type Person = Awaited<ReturnType<typeof createPerson>>
