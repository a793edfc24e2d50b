import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { sampleProcesses } from '../../bench/processes.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import type { Database } from '../../src/db/database.ts'
import { onceReachable } from './once-reachable.ts'
import { stuckSeconds } from './run-case.ts'

interface Remains {
  readonly db: Database
  readonly dataDir: string
  readonly temporalAddress: string
  /** The worker's open files before the first case. */
  readonly openFilesBefore: number
}

/** Connections that a worker opens when it is first used, and keeps. */
const openFilesSlack = 40

export function openFilesOfWorker(): number {
  const worker = sampleProcesses((command) => (/activities\/worker\.[jt]s/.test(command) ? 'worker' : undefined))
  return worker.get('worker')?.openFiles ?? 0
}

/** Waits until nothing is open any more. Returns what still is when a job counts as stuck, and what the ledger breaks. */
export async function findAftermath(remains: Remains): Promise<string[]> {
  const deadline = Date.now() + stuckSeconds * 1000
  const look = () => onceReachable(() => lookForRemains(remains))
  let left = await look()
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(1000)
    left = await look()
  }
  const ledger = await onceReachable(() => checkLedger(remains.db))
  return [...left, ...ledger.map(({ id, rule }) => `the ledger: ${id} breaks ${rule}`)]
}

async function lookForRemains({ db, dataDir, temporalAddress, openFilesBefore }: Remains): Promise<string[]> {
  const open = { where: { endedAt: null } }
  const [jobs, runs, held, staged, waits, work, temporary, workflows] = await Promise.all([
    db.job.findMany(open),
    db.workflowRun.findMany(open),
    db.account.count({ where: { heldMicroUsd: { gt: 0n } } }),
    db.stagedFolder.count(),
    db.openWait.count(),
    filesIn(path.join(dataDir, 'work')),
    filesIn(path.join(dataDir, 'objects', '.temp')),
    openWorkflows(temporalAddress),
  ])
  const openFiles = openFilesOfWorker()
  const tools = sampleProcesses((command) => (/^\S*\/ff(mpeg|probe)\S* /.test(command) ? 'tool' : undefined))
  return [
    ...jobs.map(({ id, status }) => `${id} is still ${status}`),
    ...runs.map(({ id }) => `${id} is still open`),
    ...(held > 0 ? [`${held} accounts still hold money`] : []),
    ...(staged > 0 ? [`${staged} staged folders`] : []),
    ...(waits > 0 ? [`${waits} open waits`] : []),
    ...[...work, ...temporary].map((file) => `file ${file}`),
    ...workflows.map((id) => `open workflow ${id}`),
    ...(openFiles > openFilesBefore + openFilesSlack
      ? [`the worker has ${openFiles} open files, before ${openFilesBefore}`]
      : []),
    ...(tools.size > 0 ? ['a tool still runs'] : []),
  ]
}

async function openWorkflows(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address })
  try {
    const open: string[] = []
    const query = "WorkflowType in ('mediaJob', 'chain', 'probe') and ExecutionStatus = 'Running'"
    for await (const { workflowId } of new Client({ connection }).workflow.list({ query })) open.push(workflowId)
    return open
  } finally {
    await connection.close()
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
