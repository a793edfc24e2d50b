import path from 'node:path'
import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { stepJobId } from '../../src/chains/step-request.ts'
import { isLongForm, type Moment, moments } from './cases.ts'
import {
  type ChainCase,
  type ChainEndCase,
  chainEndCases,
  chainKillCases,
  type Ending,
  endings,
} from './chain-cases.ts'
import { type Gate, holdGates } from './gates.ts'
import { killAt } from './kill-at.ts'
import { answerWith } from './media-server.ts'
import { postRun } from './post-job.ts'
import { conclude } from './record.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

let stack: FaultStack

beforeAll(async () => {
  // A transaction that waits at its gate keeps a connection.
  stack = await startFaultStack({
    media: answerWith(path.resolve('test/fixtures/speech.wav')),
    variables: { DATABASE_POOL_SIZE: '30' },
  })
})

afterAll(() => stack.stop())

const positions = [0, 1, 2]
const at = <Case extends ChainCase>(cases: readonly Case[], position: number) =>
  cases.filter(({ point }) => point.position === position)

const kills = moments.flatMap((moment) =>
  positions.map((position) => {
    const cases = at(chainKillCases, position).filter((each) => each.moment === moment)
    return { moment, job: position + 1, cases }
  }),
)

const ends = endings.flatMap((ending) =>
  positions.map((position) => {
    const cases = at(chainEndCases, position).filter((each) => each.ending === ending)
    return { ending, job: position + 1, cases }
  }),
)

describe.skipIf(process.platform !== 'linux')('a chain', () => {
  // The last job's render is done or charged, and no other process knows it.
  it.each(kills.filter(({ moment, job }) => isLongForm || (moment === 'after' && job === 3)))(
    'goes on where the worker is killed $moment a commit of job $job',
    ({ moment, cases }) => killRuns(moment, cases),
    240_000,
  )

  it.each(ends.filter(({ ending, job }) => isLongForm || (ending.startsWith('run') && job === 3)))(
    'whose $ending at a commit of job $job ends as it is told',
    ({ ending, cases }) => endRuns(ending, cases),
    240_000,
  )
})

/** A run for each case, with its gate. */
async function runsOf<Case extends ChainCase>(cases: readonly Case[]) {
  const body = {
    media_url: stack.mediaUrl('speech.wav'),
    media_seconds: 74,
    settings: {
      'audio/detect-silence': { min_silence_seconds: 0.2 },
      'timeline/suggest-ranges': { padding_seconds: 0.05, min_cut_seconds: 0.1 },
    },
  }
  return Promise.all(
    cases.map(async (faultCase) => {
      const { position, ...gate } = faultCase.point
      const { accountId, client } = await stack.newAccount()
      const actor = gate.step === 'create' && position === 0 ? ('api' as const) : ('worker' as const)
      return { faultCase, ...gate, position, accountId, actor, post: () => postRun(client, body) }
    }),
  )
}

async function killRuns(moment: Moment, cases: readonly ChainCase[]): Promise<void> {
  await killAt(stack, 'worker', moment, await runsOf(cases))
}

/** Ends each run while one of its transactions waits at its commit, which then succeeds. */
async function endRuns(ending: Ending, cases: readonly ChainEndCase[]): Promise<void> {
  const runs = await runsOf(cases)
  const gates = await holdGates(stack.databaseUrl, runs)
  await Promise.all(runs.map(({ post }) => post()))
  await until('every run stands at its gate', gates.areReached, 60)

  const met = await Promise.all(runs.map(openWorkflows))
  await Promise.all(met.map(acts[ending]))
  if (ending === 'job terminated') await until('each run waits to end its job', gates.areAwaited, 30)
  else await until('each heard of it', async () => (await Promise.all(met.map(heardBy[ending]))).every(Boolean), 30)
  await gates.release()
  await conclude(stack, runs)
}

interface OpenWorkflows {
  readonly run: WorkflowHandle
  readonly job: WorkflowHandle | undefined
}

async function openWorkflows({
  accountId,
  position,
  step,
}: Gate & { readonly position: number }): Promise<OpenWorkflows> {
  const { id } = await stack.db.workflowRun.findFirstOrThrow({ where: { accountId } })
  const { workflow } = stack.temporal
  const hasJob = step !== 'create' && step !== 'end'
  return { run: workflow.getHandle(id), job: hasJob ? workflow.getHandle(stepJobId(id, position)) : undefined }
}

const acts: Readonly<Record<Ending, (open: OpenWorkflows) => Promise<unknown>>> = {
  'run canceled': async ({ run }) => run.cancel(),
  'run terminated': async ({ run }) => run.terminate(),
  'job canceled': async ({ job }) => job?.cancel(),
  'job terminated': async ({ job }) => job?.terminate(),
}

const heardBy: Readonly<Record<Exclude<Ending, 'job terminated'>, (open: OpenWorkflows) => Promise<boolean>>> = {
  'run canceled': async ({ run, job }) => (await hasHeard(run)) && (await hasHeard(job)),
  'run terminated': async ({ job }) => hasHeard(job),
  'job canceled': async ({ job }) => hasHeard(job),
}

/**
 * Whether the workflow's code has handled its cancellation, and its activity has heard of it or has ended: one that stores
 * its draft sends no more heartbeats, so Temporal ends it after ten seconds.
 */
async function hasHeard(workflow: WorkflowHandle | undefined): Promise<boolean> {
  if (!workflow) return true
  const { raw } = await workflow.describe()
  const { events } = await workflow.fetchHistory()
  const asked = events?.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes) ?? -1
  const after = events?.slice(asked) ?? []
  if (asked < 0 || !after.some((event) => event.workflowTaskCompletedEventAttributes)) return false
  const askedSeconds = Number(after[0]?.eventTime?.seconds)
  return (raw.pendingActivities ?? []).every(
    ({ lastHeartbeatTime }) => Number(lastHeartbeatTime?.seconds ?? 0) > askedSeconds,
  )
}
