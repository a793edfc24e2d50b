import { priceFor } from '../../src/billing/price.ts'
import { newId } from '../../src/core/ids.ts'
import type { MicroUsd } from '../../src/core/money.ts'
import type { Database } from '../../src/db/database.ts'
import { acceptJob } from '../../src/jobs/accept.ts'
import type { SlotLimits } from '../../src/jobs/admission.ts'
import { openAttempt } from '../../src/jobs/attempts.ts'
import type { IdempotencyKey } from '../../src/jobs/idempotency.ts'
import { type Draft, draftSchema, markRunning, recordDraft } from '../../src/jobs/job-changes.ts'
import { settleAnswered } from '../../src/jobs/settle-job.ts'

const clipRate = 10_000n

/** For accounts of every kind. */
export const sameSlots = (slots: number): SlotLimits => ({ perAccount: slots, beforePayment: slots })

/** The price of a clip of this length. */
export const clipPrice = (seconds: number): MicroUsd => priceFor(seconds * 1000, clipRate)

/** Accepts a clip job of the given length, or of unknown length, whose price is 0.01 USD a minute. */
export async function acceptClip(
  db: Database,
  accountId: string,
  {
    seconds,
    idempotency,
    slots = 1000,
    maxWaitingJobs = 1000,
    maxUnpaidBytes,
    apiKeyId = null,
    ...limits
  }: {
    seconds: number | null
    idempotency?: IdempotencyKey
    slots?: number
    maxWaitingJobs?: number
    maxUnpaidBytes?: number
    apiKeyId?: string | null
    runId?: string
    limitMicroUsd?: MicroUsd | undefined
  },
) {
  return acceptJob(db, {
    jobId: newId('job'),
    accountId,
    apiKeyId,
    requestId: newId('req'),
    endpoint: 'video/clip-window',
    rateMicroUsdPerMinute: clipRate,
    maxPriceMicroUsd: seconds === null ? undefined : clipPrice(seconds),
    window: { startSeconds: 0, endSeconds: seconds },
    settings: {},
    warnings: [],
    reference: { url: 'https://media.example/a.mp4', object: null, name: null },
    slotLimits: sameSlots(slots),
    maxWaitingJobs,
    maxUnpaidBytes,
    idempotency,
    ...limits,
  })
}

/** Records the draft of a run step that produced `billedMilliseconds` of output. */
export async function draftClip(db: Database, jobId: string, billedMilliseconds: number): Promise<void> {
  await markRunning(db, jobId)
  await recordDraft(db, jobId, { result: { media_seconds: 1 }, files: [], billedMilliseconds })
}

/** Ends a job on media of `actualSeconds` with `madeSeconds` of output, without steps before. */
export async function answerClip(
  db: Database,
  jobId: string,
  { actualSeconds, madeSeconds }: { readonly actualSeconds: number; readonly madeSeconds: number },
) {
  return settleAnswered(db, jobId, {
    draft: { result: { media_seconds: 1 }, files: [], billedMilliseconds: madeSeconds * 1000 },
    media: null,
    estimate: clipPrice(actualSeconds),
    startedAt: new Date(),
    attempt: await openAttempt(db, jobId),
  })
}

/** Undefined if the job has no draft. */
export async function findDraft(db: Database, jobId: string): Promise<Draft | undefined> {
  const { draft } = await db.job.findUniqueOrThrow({ where: { id: jobId }, select: { draft: true } })
  return draft === null ? undefined : draftSchema.parse(draft)
}
