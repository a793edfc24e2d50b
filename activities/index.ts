import { isId } from '../src/core/ids.ts'
import { pingDatabase } from '../src/db/database.ts'
import { getJob, type Job, type MediaRow } from '../src/jobs/job-rows.ts'
import { getProbe } from '../src/jobs/probes.ts'
import type { StartDeliveriesInput, StartItemsInput } from '../src/temporal/job-client.ts'
import { type CloseAccountsInput, closeAccounts } from './close-accounts.ts'
import { deliverDue } from './deliver-due.ts'
import type { Dependencies, JobInput } from './dependencies.ts'
import {
  acceptNextJob,
  type FinishInput,
  type FinishRunInput,
  finishJob,
  finishRun,
  type NextJobInput,
} from './finish.ts'
import { beginWork, type EstimateProbeInput, holdPrice, inspectJob, probeForEstimate } from './inspect.ts'
import { planParts, type RunPartInput, runPart } from './parts.ts'
import { reuseAnalyses } from './reuse.ts'
import { downloadClaims, longMediaClaims, runJob } from './run.ts'
import { inspectAndRun } from './short-job.ts'
import {
  claimsOf,
  claimsOfAccount,
  createSlots,
  deferLongWork,
  deferWhileSlow,
  type SlotClaim,
  type TurnInput,
} from './slots.ts'
import { startItems } from './start-items.ts'
import { createUpkeepActivities } from './upkeep/index.ts'
import { deferUntilTurn } from './worker/lost-attempts.ts'
import { outlastOutage, withinTime } from './worker/run-activity.ts'
import { createDiskTurns, onFreeDisk } from './worker/work-directory.ts'

/** Webhook endpoints to which a worker sends simultaneously, and those of one account: endpoints that do not answer leave slots to others. */
const webhookSlots = 40
const webhookSlotsOfAccount = 2

/** Short activities on rows and Temporal, on the queue of the workflows. */
export function createWorkflowActivities(deps: Dependencies) {
  const slots = createSlots(webhookSlots)
  // Keys of any scope make callbacks, which take nothing from the webhook endpoints of their account.
  const webhookClaims = ({ accountId, endpointId }: StartDeliveriesInput) => [
    { key: 'webhooks', max: webhookSlots },
    { key: `${isId('whc', endpointId) ? 'callbacks' : 'webhooks'} of ${accountId}`, max: webhookSlotsOfAccount },
  ]
  return {
    reuse: (input: JobInput) => reuseAnalyses(deps, input),
    hold: (input: JobInput) => holdPrice(deps, input),
    finish: (input: FinishInput) => finishJob(deps, input),
    nextJob: (input: NextJobInput) => deps.watchdog.during(input.runId, () => acceptNextJob(deps, input)),
    finishRun: (input: FinishRunInput) => finishRun(deps, input),
    deliverDue: (input: StartDeliveriesInput) => slots(webhookClaims(input), () => deliverDue(deps, input)),
    startItems: (input: StartItemsInput) => startItems(deps, input),
    closeAccounts: (input: CloseAccountsInput) => closeAccounts(deps, input),
    ...createUpkeepActivities(deps),
  }
}

function outlast<T>({ db, logger }: Dependencies, work: () => Promise<T>) {
  return withinTime(() => outlastOutage({ ping: () => pingDatabase(db), logger }, () => deferUntilTurn(work)))
}

interface MediaSlots {
  readonly taskSlots: number
  /** The most of them for one account that pays. All if omitted. */
  readonly maxOfPaid?: number
}

/**
 * Activities that read and make media. A worker has them twice, each with slots of their own: with models, and without. Parts have no
 * share of slots: each ends soon, and others' jobs take turns with them.
 */
export function createMediaActivities(deps: Dependencies, { taskSlots, maxOfPaid }: MediaSlots) {
  const slots = createSlots(taskSlots)
  const maxDownloads = Math.max(1, taskSlots - 1)
  const onDisk = createDiskTurns(deps)
  const onCore = <T>(input: JobInput & TurnInput, work: () => Promise<T>) =>
    deps.cores.use(() => onDisk(input, () => deferWhileSlow(deps, input.jobId, input, work)))
  return {
    run: (input: JobInput & TurnInput) =>
      outlast(deps, async () => {
        const claims = [
          ...(await claimsOfAccount(deps, input, maxOfPaid)),
          ...(await downloadClaims(deps, input, maxDownloads)),
        ]
        return slots(claims, () => onCore(input, () => runJob(deps, input)))
      }),
    runPart: (input: RunPartInput & TurnInput) =>
      outlast(deps, () => onCore(input, async () => runPart(deps, await beginWork(deps, input.jobId), input))),
  }
}

/** Work that is expected to be short, in task slots of its own. */
export function createShortActivities(deps: Dependencies, taskSlots: number) {
  const slots = createSlots(taskSlots)
  const whileShort = <T>(input: JobInput & TurnInput, work: (limitSignal: AbortSignal) => Promise<T>) =>
    outlast(deps, async () =>
      slots(await claimsOfAccount(deps, input), () =>
        deps.cores.use(() => onFreeDisk(deps, () => deferLongWork(work))),
      ),
    )
  return {
    inspectAndRun: (input: JobInput & TurnInput) =>
      whileShort(input, (limitSignal) => inspectAndRun(deps, input, limitSignal)),
    run: (input: JobInput & TurnInput) => whileShort(input, (limitSignal) => runJob(deps, input, limitSignal)),
  }
}

/**
 * Activities that wait for a download, which keeps no core busy. A worker has them twice, each with slots of their own: for media on
 * the internet, and for media in our storage.
 */
export function createSourceActivities(deps: Dependencies, taskSlots: number) {
  const slots = createSlots(taskSlots)
  const inSlots = <T>(input: TurnInput, row: MediaRow, claims: readonly SlotClaim[], work: () => Promise<T>) =>
    slots(claims, () => onFreeDisk(deps, () => deferWhileSlow(deps, row.id, input, work)))
  const ofJob = <T>(
    input: JobInput & TurnInput,
    work: (job: Job) => Promise<T>,
    claims: (job: Job) => readonly SlotClaim[] = claimsOf,
  ) =>
    outlast(deps, async () => {
      const job = await getJob(deps.db, input.jobId)
      return inSlots(input, job, claims(job), () => work(job))
    })
  return {
    inspect: (input: JobInput & TurnInput) => ofJob(input, (job) => inspectJob(deps, job)),
    planParts: (input: JobInput & TurnInput) =>
      ofJob(input, async (job) => planParts(deps, await beginWork(deps, job.id))),
    runPart: (input: RunPartInput & TurnInput) =>
      ofJob(input, async (job) => runPart(deps, await beginWork(deps, job.id), input)),
    run: (input: JobInput & TurnInput) =>
      ofJob(
        input,
        () => runJob(deps, input),
        (job) => [...claimsOf(job), ...longMediaClaims(job)],
      ),
    probeMedia: async (input: EstimateProbeInput & TurnInput) => {
      const probe = await getProbe(deps.db, input.probeId)
      if (probe) return inSlots(input, probe, claimsOf(probe), () => probeForEstimate(deps, probe))
    },
  }
}

export type Activities = ReturnType<typeof createWorkflowActivities>
export type MediaActivities = ReturnType<typeof createMediaActivities>
export type ShortActivities = ReturnType<typeof createShortActivities>
export type SourceActivities = ReturnType<typeof createSourceActivities>
