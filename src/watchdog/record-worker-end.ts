import { Client } from 'pg'
import { isId, newId } from '../core/ids.ts'
import type { BlockedLoop } from './blocked-loop.ts'

export interface WorkerEndInput extends Pick<BlockedLoop, 'workId'> {
  readonly worker: string
  /** All jobs, runs and probes that the process worked on. */
  readonly jobs: readonly string[]
}

/** Who is recorded for the end of a worker. */
export interface Blame {
  readonly subjectIds: readonly string[]
  readonly isCause: boolean
}

/** The service's own work, such as upkeep. */
const nobody: Blame = { subjectIds: [''], isCause: false }

function causedBy(workId: string): Blame {
  return { subjectIds: [workId], isCause: true }
}

function isOfAccount(workId: string): boolean {
  return isId('job', workId) || isId('run', workId) || isId('prb', workId)
}

/**
 * Lays the end of a worker at the door of one job where that can be told: the one in whose context the loop is blocked, or the only
 * one that was suspected before, because suspects run one after the other. Otherwise all that ran are suspects, also a single one:
 * the service's own work may have blocked the loop.
 */
export function blameFor({ workId, jobs }: WorkerEndInput, suspectedBefore: readonly string[]): Blame {
  if (workId !== undefined) return isOfAccount(workId) ? causedBy(workId) : nobody
  const [only, second] = suspectedBefore
  if (only !== undefined && second === undefined) return causedBy(only)
  return jobs.length > 0 ? { subjectIds: jobs, isCause: false } : nobody
}

/** By a connection of its own: the pool of the process is blocked with its loop. */
export async function recordWorkerEnd(databaseUrl: string, end: WorkerEndInput): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    'SELECT DISTINCT subject_id AS id FROM worker_ends WHERE subject_id = ANY($1)',
    [end.jobs],
  )
  const { subjectIds, isCause } = blameFor(
    end,
    rows.map(({ id }) => id),
  )
  await client.query(
    'INSERT INTO worker_ends (id, subject_id, is_cause, worker) SELECT $1, unnest($2::text[]), $3, $4',
    [newId('end'), subjectIds, isCause, end.worker],
  )
  await client.end()
}
