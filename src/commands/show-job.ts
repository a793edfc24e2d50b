import { exitWithMessage } from '../config.ts'
import { toUsd } from '../core/money.ts'
import { readableJson } from '../core/text.ts'
import type { Prisma } from '../db/generated/client.ts'
import { helpIfAsked } from './help.ts'
import { runOnDatabase } from './run-on-database.ts'

// Shows an operator one job: whose it is, its error, its times, and how it was charged.

const usage =
  'usage: show-job.js JOB\nPrints JSON: account, key, status, error, times, and what credits and the bill paid. Media, settings and results are left out.'
helpIfAsked(usage)

const [jobId, ...more] = process.argv.slice(2)
if (!jobId || jobId.startsWith('-') || more.length > 0) exitWithMessage(usage)

const columns = {
  ...{ id: true, accountId: true, apiKeyId: true, runId: true, requestId: true, endpoint: true, status: true },
  ...{ error: true, estimatedMicroUsd: true, createdAt: true, startedAt: true, endedAt: true, deletedAt: true },
  ledger: { where: { kind: 'capture' }, select: { creditMicroUsd: true, billableMicroUsd: true, month: true } },
} satisfies Prisma.JobSelect

await runOnDatabase(async (db) => {
  const job = await db.job.findUnique({ where: { id: jobId }, select: columns })
  if (!job) throw new Error(`no job has the id ${jobId}`)
  process.stdout.write(`${readableJson(describe(job))}\n`)
})

function describe({ ledger, estimatedMicroUsd: estimate, ...job }: Prisma.JobGetPayload<{ select: typeof columns }>) {
  const [capture] = ledger
  return {
    ...{ job_id: job.id, account_id: job.accountId, key_id: job.apiKeyId, run_id: job.runId },
    ...{ request_id: job.requestId, endpoint: job.endpoint, status: job.status, error: job.error },
    estimated_price_usd: estimate === null ? null : toUsd(estimate),
    paid_by_credits_usd: toUsd(capture?.creditMicroUsd ?? 0n),
    billed_usd: toUsd(capture?.billableMicroUsd ?? 0n),
    /** The UTC month whose invoice has it. */
    month: capture?.month ?? null,
    ...{ created_at: job.createdAt, started_at: job.startedAt, ended_at: job.endedAt, deleted_at: job.deletedAt },
  }
}
