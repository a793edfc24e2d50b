import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import type { Amount, LedgerEntry } from '../../src/billing/ledger.ts'
import { minMicroUsd } from '../../src/core/money.ts'
import type { JobModel } from '../../src/db/generated/models.ts'
import { failureOfJob, failureSchema, type Job } from '../../src/jobs/job-rows.ts'
import type { Run } from '../../src/jobs/run-rows.ts'
import { startUpkeepPass } from '../upkeep-pass.ts'
import type { Expected } from './cases.ts'
import { mediaProcessesIn } from './processes.ts'
import { type FaultStack, faultCreditsMicroUsd } from './stack.ts'
import { until } from './until.ts'

/** Waits until the accounts' jobs and runs have ended. */
export async function untilEnded(stack: FaultStack, accountIds: readonly string[], seconds = 90): Promise<void> {
  const { db } = stack
  const passUpkeep = upkeepEveryTwoSeconds(stack)
  const hasEnded = async () => {
    await passUpkeep()
    const where = { accountId: { in: [...accountIds] } }
    const open = { ...where, endedAt: null }
    if ((await db.job.count({ where })) < accountIds.length) return false
    return (await db.job.count({ where: open })) + (await db.workflowRun.count({ where: open })) === 0
  }
  await until('every job has ended', hasEnded, seconds)
}

/** Starts a pass of upkeep every two seconds, so that no case waits for its schedule. */
export function upkeepEveryTwoSeconds({ temporal }: FaultStack): () => Promise<void> {
  let startedAt = Date.now()
  return async () => {
    if (Date.now() - startedAt <= 2_000) return
    startedAt = Date.now()
    await startUpkeepPass(temporal).catch(() => {})
  }
}

/** The ends of the account's run, jobs or single job, and a list of problems, which is empty if all is well. */
export async function outcomeOf(
  { db }: FaultStack,
  { accountId, jobId }: { readonly accountId: string; readonly jobId?: string },
): Promise<{ outcome: Expected; wrong: string[] }> {
  const account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { jobs: { include: { outputs: true, ledger: true } }, runs: true },
  })
  const jobs = account.jobs.filter(({ id }) => jobId === undefined || id === jobId)
  const [run] = account.runs
  const ends = run ? [endOfRun(run)] : [...new Set(jobs.map(endOf))]
  return {
    outcome: {
      end: jobs.length === 1 || run ? ends.join() : `${jobs.length} × ${ends.join(', ')}`,
      captures: jobs.flatMap((job) => job.ledger).filter(({ kind }) => kind === 'capture').length,
      outputs: jobs.reduce((sum, { outputs }) => sum + outputs.filter(({ role }) => role === 'media').length, 0),
    },
    wrong: [
      ...(await checkLedger(db)).map(({ id, rule }) => `${id} breaks: ${rule}`),
      ...(account.heldMicroUsd === 0n ? [] : ['something is still held']),
      ...jobs.flatMap(faultsOf),
      ...(run ? faultsOfRun(run, jobs) : []),
      // Parallel jobs can hold credits that others would have used.
      ...(account.jobs.length > 1 && !run ? [] : creditsOf(account.jobs)),
    ],
  }
}

function endOf(job: Job): string {
  const failure = failureOfJob(job)
  return failure ? `${job.status}: ${failure.code}` : job.status
}

function endOfRun({ error }: Run): string {
  return error === null ? 'completed' : `failed: ${failureSchema.parse(error).code}`
}

function faultsOfRun(run: Run, jobs: readonly Job[]): string[] {
  const price = jobs.reduce((sum, { finalMicroUsd }) => sum + (finalMicroUsd ?? 0n), 0n)
  const unlike = jobs
    .filter(({ status }) => status === 'failed')
    .map(endOf)
    .filter((end) => end !== endOfRun(run))
  return [
    ...(price <= run.limitMicroUsd ? [] : [`the run cost ${price}, more than ${run.limitMicroUsd}`]),
    ...unlike.map((end) => `a job of the run ended as ${end}`),
  ]
}

function faultsOf(job: JobModel & { readonly ledger: readonly LedgerEntry[] }): string[] {
  const captures = job.ledger.filter(({ kind }) => kind === 'capture').map(amountOf)
  const captured = captures.reduce((sum, { credit, billable }) => sum + credit + billable, 0n)
  const rules: Readonly<Record<string, boolean>> = {
    'captured once when completed, else never': captures.length === (job.status === 'completed' ? 1 : 0),
    'captured the final price': captured === job.finalMicroUsd,
    'captured at most the estimate': captured <= (job.estimatedMicroUsd ?? 0n),
    'the hold ended once': job.ledger.filter(({ endsHoldOf }) => endsHoldOf === job.id).length === 1,
    'has a time of its end': job.endedAt !== null,
    'has no draft any more': job.draft === null,
  }
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `not so: ${rule}`)
}

function amountOf({ creditMicroUsd: credit, billableMicroUsd: billable }: LedgerEntry): Amount {
  return { credit, billable }
}

/** Accounts have credits for less than a job: checks that captures are split exactly at the credits. */
function creditsOf(jobs: readonly { readonly ledger: readonly LedgerEntry[] }[]): string[] {
  const captures = jobs.flatMap(({ ledger }) => ledger.filter(({ kind }) => kind === 'capture').map(amountOf))
  const credit = captures.reduce((sum, amount) => sum + amount.credit, 0n)
  const total = captures.reduce((sum, amount) => sum + amount.credit + amount.billable, 0n)
  const expected = minMicroUsd(total, faultCreditsMicroUsd)
  return credit === expected ? [] : [`credits paid for ${credit} of ${total}, not for ${expected}`]
}

/** Lists the leftovers after every job has ended; waits a while for clean-up. */
export async function leftOver(stack: FaultStack, seconds = 60): Promise<string[]> {
  let left: string[] = []
  const passUpkeep = upkeepEveryTwoSeconds(stack)
  const isClean = async () => {
    // Pieces of completed clips stay for an hour, which is over now.
    await stack.db
      .$executeRaw`UPDATE jobs SET ended_at = ended_at - interval '1 hour' WHERE ended_at > now() - interval '1 hour'`
    await passUpkeep()
    left = await lookForLeftovers(stack)
    return left.length === 0
  }
  await until('nothing is left over', isClean, seconds).catch(() => {})
  return left
}

async function lookForLeftovers(stack: FaultStack): Promise<string[]> {
  const { dataDir, db, temporal } = stack
  const files = stack.workerDataDir()
  const [work, temporary, objects, rows, staged] = [
    await filesIn(path.join(files, 'work')),
    await filesIn(path.join(files, 'objects', '.temp')),
    new Set(await stack.outputKeys()),
    new Set((await db.output.findMany()).map(({ objectKey }) => objectKey)),
    await db.stagedFolder.count(),
  ]
  const open: string[] = []
  for await (const { workflowId } of temporal.workflow.list({
    query: "WorkflowType in ('mediaJob', 'chain') and ExecutionStatus = 'Running'",
  })) {
    open.push(workflowId)
  }
  return [
    ...work.map((file) => `work file ${file}`),
    ...temporary.map((file) => `temporary file ${file}`),
    ...[...objects].filter((key) => !rows.has(key)).map((key) => `object without a row ${key}`),
    ...[...rows].filter((key) => !objects.has(key)).map((key) => `row without an object ${key}`),
    ...(staged > 0 ? [`${staged} staged folders`] : []),
    ...mediaProcessesIn(dataDir).map((pid) => `media process ${pid}`),
    ...open.map((id) => `open workflow ${id}`),
  ]
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}
