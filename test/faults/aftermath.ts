import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { amountOf, deriveCounters } from '../../src/billing/ledger.ts'
import { failureOf } from '../../src/store/job-documents.ts'
import { mediaProcessesIn } from './processes.ts'
import type { FaultStack } from './stack.ts'
import { until } from './until.ts'

/** What a case left for its account's one job. */
export interface Outcome {
  /** The status, with the error code where it failed. */
  readonly end: string
  readonly captures: number
  readonly outputs: number
}

/** Waits until the account's job has ended. Upkeep is triggered now and then, so that nobody waits for its schedule. */
export async function untilEnded(
  { db, temporal }: FaultStack,
  accountIds: readonly string[],
  seconds = 90,
): Promise<void> {
  let triggeredAt = Date.now()
  await until(
    'every job has ended',
    async () => {
      if (Date.now() - triggeredAt > 2_000) {
        triggeredAt = Date.now()
        await temporal.schedule
          .getHandle('upkeep')
          .trigger()
          .catch(() => {})
      }
      const where = { accountId: { in: [...accountIds] } }
      const [all, ended] = [
        await db.job.count({ where }),
        await db.job.count({ where: { ...where, endedAt: { not: null } } }),
      ]
      return all >= accountIds.length && all === ended
    },
    seconds,
  )
}

/** Reads the end of an account's job, and everything that is wrong with it as text: nothing wrong is an empty list. */
export async function outcomeOf({ db }: FaultStack, accountId: string): Promise<{ outcome: Outcome; wrong: string[] }> {
  const account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { ledger: true, jobs: { include: { outputs: true, ledger: true } } },
  })
  const [job, ...others] = account.jobs
  if (!job) throw new Error('the account has no job')
  const { creditMicroUsd, heldMicroUsd, billedMicroUsd } = account
  const derived = deriveCounters(account.ledger)
  const captures = job.ledger.filter(({ kind }) => kind === 'capture')
  const captured = captures.map(amountOf).reduce((sum, { credit, billable }) => sum + credit + billable, 0n)
  const failure = failureOf(job)
  const checks: Readonly<Record<string, boolean>> = {
    'more than one job': others.length === 0,
    'counters differ from the ledger':
      derived.creditMicroUsd === creditMicroUsd &&
      derived.heldMicroUsd === heldMicroUsd &&
      derived.billedMicroUsd === billedMicroUsd,
    'something is still held': heldMicroUsd === 0n,
    'the hold did not end once': job.ledger.filter(({ endsHoldOf }) => endsHoldOf === job.id).length === 1,
    'captured is not the final price': captured === job.finalMicroUsd,
    'a failed job cost something': job.status === 'completed' || captures.length === 0,
    'no end time': job.endedAt !== null,
    'a draft stayed': job.draft === null,
  }
  return {
    outcome: {
      end: failure ? `${job.status}: ${failure.code}` : job.status,
      captures: captures.length,
      outputs: job.outputs.length,
    },
    wrong: Object.entries(checks)
      .filter(([, holds]) => !holds)
      .map(([name]) => name),
  }
}

/** What lies around although every job has ended; waits a while for it to be cleared away. */
export async function leftOver(stack: FaultStack, seconds = 60): Promise<string[]> {
  let left: string[] = []
  const isClean = async () => {
    left = await lookForLeftovers(stack)
    return left.length === 0
  }
  await until('nothing is left over', isClean, seconds).catch(() => {})
  return left
}

async function lookForLeftovers({ dataDir, db, temporal }: FaultStack): Promise<string[]> {
  const [work, temporary, objects, rows, staged] = [
    await filesIn(path.join(dataDir, 'work')),
    await filesIn(path.join(dataDir, 'objects', '.temp')),
    await objectsIn(path.join(dataDir, 'objects')),
    new Set((await db.output.findMany()).map(({ objectKey }) => objectKey)),
    await db.stagedFolder.count(),
  ]
  const open: string[] = []
  for await (const { workflowId } of temporal.workflow.list({
    query: "WorkflowType = 'mediaJob' and ExecutionStatus = 'Running'",
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

/** The keys of stored outputs: an object is a folder that is named by its key and a tilde. */
async function objectsIn(directory: string): Promise<Set<string>> {
  const entries = await readdir(path.join(directory, 'outputs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return new Set(
    entries
      .filter((entry) => entry.isDirectory() && entry.name.endsWith('~'))
      .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).slice(0, -1)),
  )
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}
