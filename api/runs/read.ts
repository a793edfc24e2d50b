import type { z } from 'zod'
import { type Chain, chains, getChain } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { findRun, listRuns, type RunWithJobs, type RunWithoutResults } from '../../src/store/runs.ts'
import type { ApiContext } from '../http/context.ts'
import { type LongPollContext, longPoll } from '../http/long-poll.ts'
import { decodePosition, pageOf } from '../http/pages.ts'
import { type ResultContext, withResults } from '../jobs/find.ts'
import { askedFilterOf } from '../jobs/read.ts'
import { presentRunSummary } from './present.ts'
import type { runFilter } from './schema.ts'

export interface ReadRunInput {
  readonly reader: Credential
  readonly runId: string
  readonly waitSeconds: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Called with the run each time it is read. */
  readonly onRead?: ((run: RunWithoutResults) => Promise<void>) | undefined
}

/** A run of the reader's account. Throws `not_found` if it does not exist, or the credential does not cover every step. */
export async function findOwnRun(
  { db }: Pick<ApiContext, 'db'>,
  reader: Credential,
  runId: string,
): Promise<RunWithoutResults> {
  if (isId('job', runId))
    throw new ServiceError('not_found', `${runId} is a job, not a run. Read it at /v1/jobs/${runId}.`)
  const run = isId('run', runId) ? await findRun(db, reader.accountId, runId) : null
  if (run && isCovered(reader.scope, getChain(run.chain))) return run
  throw noSuchRun()
}

export function noSuchRun(): ServiceError {
  return new ServiceError(
    'not_found',
    'No run with this id is in this account, or the key does not cover it. Check the id and the key.',
  )
}

/** A page of the runs that the reader can see, newest first, without results. */
export async function pageOfRuns(
  context: Pick<ApiContext, 'config' | 'db'>,
  { accountId, scope }: Credential,
  { limit, cursor, status, workflow_id: chain, ...asked }: z.output<typeof runFilter>,
) {
  const visible = chains.filter((each) => isCovered(scope, each) && (chain === undefined || each.id === chain))
  const filter = { chains: visible.map(({ id }) => id), status, ...askedFilterOf(asked) }
  const found = await listRuns(context.db, accountId, { limit: limit + 1, after: decodePosition(cursor), filter })
  const [runs, next] = pageOf(found, limit)
  return { runs: runs.map((run) => presentRunSummary(context, run)), ...next }
}

function isCovered(scope: string, { steps }: Chain): boolean {
  return steps.every((id) => coversEndpoint(scope, id))
}

/** The run with the results that `presentRun` shows: of its last completed step, and of all if it took time out of the media. */
export async function addShownResults(context: ResultContext, run: RunWithoutResults): Promise<RunWithJobs> {
  if (run.endedAt && getChain(run.chain).cutsOf) return withResults(context, run)
  const last = run.jobs.findLast(({ status }) => status === 'completed')
  return withResults(context, run, last ? [last.id] : [])
}

/** A run that the reader can see, with its shown results, after waiting up to `waitSeconds` for its end. */
export async function readRun(
  context: LongPollContext & ResultContext,
  { reader, runId, waitSeconds, signal, onRead }: ReadRunInput,
): Promise<RunWithJobs> {
  const read = async () => {
    const run = await findOwnRun(context, reader, runId)
    await onRead?.(run)
    return run
  }
  const isDone = ({ endedAt }: RunWithoutResults) => endedAt !== null
  const wait = { waiter: reader, id: runId, read, isDone, milliseconds: waitSeconds * 1000, signal }
  return addShownResults(context, await longPoll(context, wait))
}
