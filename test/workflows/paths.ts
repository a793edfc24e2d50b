import { errorTable } from '../../src/core/errors.ts'
import {
  cancel,
  cancelInside,
  deferred,
  deferredAlone,
  everySecondTime,
  failWhenCanceled,
  ofPart,
  passingUntil,
  refuse,
  silentAtLast,
  untilCanceled,
  untilPart,
} from './scripts.ts'
import type { Scene, Script, Step } from './stage.ts'

/** A path through a workflow: what its steps do, and the expected outcome. Tests play it, and its history is recorded. */
export interface WorkflowPath {
  /** The name of its history, and the workflow's id. The part before the first hyphen names the workflow. */
  readonly name:
    | `job-${string}`
    | `chain-${string}`
    | `probe-${string}`
    | `upkeep-${string}`
    | `close-${string}`
    | `webhooks-${string}`
    | `batches-${string}`
  readonly proves: string
  readonly script: Script
  /** The job in the workflow's input, if it differs from the workflow's id. */
  readonly jobId?: string
  /** Whether the media of a probe is in our storage. */
  readonly isStored?: boolean
  /** The number of upkeep passes; default 1. */
  readonly passes?: number
  /** The most rounds in which a month is closed. */
  readonly rounds?: number
  /** The expected steps, in order. */
  readonly steps: readonly Step[]
  /** The number of attempts of retried steps. */
  readonly attempts?: { readonly [Name in Step]?: number }
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** The result, if it completes. */
  readonly result?: unknown
  /** The failure in the input of `finish` or `finishRun`. */
  readonly failure?: { readonly code: string; readonly message: string }
}

const canceled = { code: 'canceled', message: errorTable.canceled.message }
const completed = { status: 'COMPLETED', result: { outcome: 'completed' } } as const
const endsCanceled = { status: 'CANCELLED', failure: canceled } as const
const refusedWith = (code: string) => ({ status: 'FAILED', failure: { code, message: `told: ${code}` } }) as const

const jobPaths: readonly WorkflowPath[] = [
  {
    name: 'job-completed',
    proves: 'inspects, holds, runs and finishes, in this order',
    script: {},
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...completed,
  },
  {
    name: 'job-answered-from-kept',
    proves: 'asks for no other step where earlier jobs left what answers it',
    script: { reuse: () => 'answered' },
    steps: ['reuse'],
    ...completed,
  },
  {
    name: 'job-answered-canceled',
    proves: 'ends failed, with the code canceled, when the answered row has a cancellation that did not reach Temporal',
    script: { reuse: () => 'canceled' },
    steps: ['reuse'],
    status: 'FAILED',
  },
  {
    name: 'job-reuse-fails',
    proves: 'goes the way of its steps where looking for what is kept fails',
    script: { reuse: refuse('server_error') },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...completed,
  },
  {
    name: 'job-canceled-in-reuse',
    proves: 'ends canceled where the cancellation comes while it looks for what is kept',
    script: { reuse: cancelInside },
    steps: ['reuse', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-streamed',
    proves: 'runs among the steps that wait for sources where the work is done while the source arrives',
    script: { inspect: () => 'streamed' },
    steps: ['reuse', 'inspect', 'hold', 'run among sources', 'finish'],
    ...completed,
  },
  {
    name: 'job-stored',
    proves: 'inspects and runs media in our storage on its own queue',
    script: { reuse: () => 'stored', inspect: () => 'streamed' },
    steps: ['reuse', 'inspect from storage', 'hold', 'run from storage', 'finish'],
    ...completed,
  },
  {
    name: 'job-on-disk-finished',
    proves: 'does all of a short job on a disk in one step',
    script: { reuse: () => 'on disk', 'inspectAndRun among short ones': () => 'finished' },
    steps: ['reuse', 'inspectAndRun among short ones'],
    ...completed,
  },
  {
    name: 'job-on-disk-row-canceled',
    proves: 'ends failed, with the code canceled, when the one step of a short job finds a cancellation in its row',
    script: { reuse: () => 'on disk', 'inspectAndRun among short ones': () => 'finished canceled' },
    steps: ['reuse', 'inspectAndRun among short ones'],
    status: 'FAILED',
  },
  {
    name: 'job-on-disk-long',
    proves: 'continues with separate steps when the media on a disk is long',
    script: { reuse: () => 'on disk', 'inspectAndRun among short ones': () => 'split' },
    steps: [
      ...(['reuse', 'inspectAndRun among short ones', 'hold', 'planParts from storage'] as const),
      ...(['runPart', 'runPart', 'runPart', 'run', 'finish'] as const),
    ],
    ...completed,
  },
  {
    name: 'job-on-disk-not-short',
    proves: 'inspects media on a disk again, among others in storage, when that takes longer than short work may',
    script: {
      ...{ reuse: () => 'on disk', inspect: () => 'short' },
      'inspectAndRun among short ones': () => ({ deferred: 'long_work' }),
    },
    steps: [
      ...(['reuse', 'inspectAndRun among short ones', 'inspect from storage', 'hold'] as const),
      ...(['run among short ones', 'finish'] as const),
    ],
    attempts: { 'inspectAndRun among short ones': 1 },
    ...completed,
  },
  {
    name: 'job-on-disk-refused',
    proves: 'ends failed immediately when the one step of a short job refuses, and keeps the reason',
    script: { reuse: () => 'on disk', 'inspectAndRun among short ones': refuse('billing_required') },
    steps: ['reuse', 'inspectAndRun among short ones', 'finish'],
    ...refusedWith('billing_required'),
  },
  {
    name: 'job-on-disk-canceled',
    proves: 'canceled in the one step of a short job: waits for it to stop, then ends canceled',
    script: { reuse: () => 'on disk', 'inspectAndRun among short ones': cancelInside },
    steps: ['reuse', 'inspectAndRun among short ones', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-deferred',
    proves: 'waits for a slot, and for a slow source, without a failed attempt',
    script: { inspect: deferred(2, 'no_slot', 'streamed'), 'run among sources': deferred(1, 'slow_source') },
    steps: ['reuse', 'inspect', 'inspect', 'inspect', 'hold', 'run among sources', 'run among sources', 'finish'],
    attempts: { inspect: 3, 'run among sources': 2 },
    ...completed,
  },
  {
    name: 'job-short',
    proves: 'runs what takes seconds in task slots of their own',
    script: { inspect: () => 'short' },
    steps: ['reuse', 'inspect', 'hold', 'run among short ones', 'finish'],
    ...completed,
  },
  {
    name: 'job-with-models',
    proves: 'runs models on the queue of the workers that have them',
    script: { inspect: () => 'models' },
    steps: ['reuse', 'inspect', 'hold', 'run among models', 'finish'],
    ...completed,
  },
  {
    name: 'job-not-short',
    proves: 'runs work that was not short after all among the others, without a failed attempt',
    script: { inspect: () => 'short', 'run among short ones': deferred(1, 'long_work') },
    steps: ['reuse', 'inspect', 'hold', 'run among short ones', 'run', 'finish'],
    attempts: { 'run among short ones': 1, run: 1 },
    ...completed,
  },
  {
    name: 'job-in-parts',
    proves: 'plans and runs parts in parallel, retries one alone, and puts them together',
    script: { inspect: () => 'split', planParts: deferred(1, 'no_slot'), runPart: ofPart(1, passingUntil(2)) },
    steps: [
      ...(['reuse', 'inspect', 'hold', 'planParts', 'planParts'] as const),
      ...(['runPart', 'runPart', 'runPart', 'run', 'finish'] as const),
    ],
    attempts: { runPart: 4, run: 1 },
    ...completed,
  },
  {
    name: 'job-in-parts-shorter-last',
    proves: 'begins the last parts after the others where they are shorter',
    script: { inspect: () => 'split', planParts: () => 'shorter last', runPart: untilPart(2) },
    steps: ['reuse', 'inspect', 'hold', 'planParts', 'runPart', 'runPart', 'runPart', 'run', 'finish'],
    ...completed,
  },
  {
    name: 'job-streamed-in-parts',
    proves: 'runs a few parts at a time where each waits for its source, and gives the slot of a slow one back',
    script: {
      ...{ inspect: () => 'streamed split', planParts: () => 10 },
      'runPart among sources': ofPart(9, deferred(1, 'slow_source')),
    },
    steps: [
      ...(['reuse', 'inspect', 'hold', 'planParts'] as const),
      ...Array.from({ length: 11 }, () => 'runPart among sources' as const),
      ...(['run among sources', 'finish'] as const),
    ],
    ...completed,
  },
  {
    name: 'job-deferred-in-parts',
    proves: 'runs parts that were deferred one after the other, so that a full disk adds few events to the history',
    script: { inspect: () => 'split', runPart: deferredAlone() },
    steps: [
      ...(['reuse', 'inspect', 'hold', 'planParts'] as const),
      ...Array.from({ length: 9 }, () => 'runPart' as const),
      ...(['run', 'finish'] as const),
    ],
    attempts: { runPart: 9 },
    ...completed,
  },
  {
    name: 'job-refused-in-part',
    proves: 'ends failed when one part refuses, after the others were canceled, and keeps the reason',
    script: { inspect: () => 'split', runPart: ofPart(1, refuse('processing_failed'), untilCanceled) },
    steps: ['reuse', 'inspect', 'hold', 'planParts', 'runPart', 'runPart', 'runPart', 'finish'],
    attempts: { runPart: 3 },
    ...refusedWith('processing_failed'),
  },
  {
    name: 'job-canceled-in-parts',
    proves: 'canceled in its parts: waits for all of them to stop, then ends canceled',
    script: { inspect: () => 'split', runPart: ofPart(1, cancelInside, untilCanceled) },
    steps: ['reuse', 'inspect', 'hold', 'planParts', 'runPart', 'runPart', 'runPart', 'finish'],
    attempts: { runPart: 3 },
    ...endsCanceled,
  },
  {
    name: 'job-already-ended',
    proves: 'leaves a job alone that has ended',
    script: { inspect: () => 'ended' },
    steps: ['reuse', 'inspect'],
    status: 'COMPLETED',
    result: { outcome: 'already_ended' },
  },
  {
    name: 'job-wrong-id',
    proves: 'does nothing under an id that is not its own',
    jobId: 'another-job',
    script: {},
    steps: [],
    status: 'FAILED',
  },
  {
    name: 'job-refused-in-inspect',
    proves: 'ends failed at once when inspect refuses, and keeps the reason',
    script: { inspect: refuse('no_audio_track') },
    steps: ['reuse', 'inspect', 'finish'],
    ...refusedWith('no_audio_track'),
  },
  {
    name: 'job-refused-in-hold',
    proves: 'ends failed at once when hold refuses, and keeps the reason',
    script: { hold: refuse('billing_required') },
    steps: ['reuse', 'inspect', 'hold', 'finish'],
    ...refusedWith('billing_required'),
  },
  {
    name: 'job-refused-in-run',
    proves: 'ends failed at once when run refuses, and keeps the reason',
    script: { run: refuse('processing_failed') },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...refusedWith('processing_failed'),
  },
  {
    name: 'job-retried-in-inspect',
    proves: 'tries inspect again after a passing failure',
    script: { inspect: passingUntil(4) },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    attempts: { inspect: 4 },
    ...completed,
  },
  {
    name: 'job-retried-in-run',
    proves: 'tries run again after a passing failure',
    script: { run: passingUntil(4) },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    attempts: { run: 4 },
    ...completed,
  },
  {
    name: 'job-gave-up-in-inspect',
    proves: 'gives up after ten tries and keeps the reason',
    script: { inspect: passingUntil(11) },
    steps: ['reuse', 'inspect', 'finish'],
    attempts: { inspect: 10 },
    ...refusedWith('media_unreachable'),
  },
  {
    name: 'job-timed-out-in-run',
    proves: 'calls a step that stops answering timed_out',
    script: { run: silentAtLast },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    attempts: { run: 10 },
    status: 'FAILED',
    failure: { code: 'timed_out', message: errorTable.timed_out.message },
  },
  {
    name: 'job-finish-repeated',
    proves: 'repeats a transaction until the database is back',
    script: { finish: passingUntil(5) },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    attempts: { finish: 5 },
    ...completed,
  },
  {
    name: 'job-canceled-in-inspect',
    proves: 'canceled in inspect: waits for the step to stop, then ends canceled',
    script: { inspect: cancelInside },
    steps: ['reuse', 'inspect', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-canceled-in-hold',
    proves: 'canceled in hold: ends canceled',
    script: { hold: cancel, run: untilCanceled },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-canceled-in-run',
    proves: 'canceled in run: waits for the step to stop, then ends canceled',
    script: { run: cancelInside },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-fails-when-canceled',
    proves: 'ends canceled where the step that is canceled ends with another error',
    script: { run: failWhenCanceled('processing_failed') },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...endsCanceled,
  },
  {
    name: 'job-canceled-in-finish',
    proves: 'canceled in finish: what was finished stays finished',
    script: { finish: cancel },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    ...completed,
  },
  {
    name: 'job-canceled-in-row',
    proves:
      'ends failed, with the code canceled, and settles once when the row has a cancellation that did not reach Temporal',
    script: { finish: () => 'canceled' },
    steps: ['reuse', 'inspect', 'hold', 'run', 'finish'],
    status: 'FAILED',
  },
]

const chainPaths: readonly WorkflowPath[] = [
  {
    name: 'chain-completed',
    proves: 'runs one job after the other, each when the one before has completed, and ends the run',
    script: {},
    steps: ['nextJob', 'nextJob', 'nextJob', 'finishRun'],
    ...completed,
  },
  {
    name: 'chain-wrong-id',
    proves: 'does nothing under an id that is not its own',
    jobId: 'another-run',
    script: {},
    steps: [],
    status: 'FAILED',
  },
  {
    name: 'chain-retried-in-next',
    proves: 'repeats a transaction until the database is back',
    script: { nextJob: passingUntil(3) },
    steps: ['nextJob', 'nextJob', 'nextJob', 'finishRun'],
    ...completed,
  },
  {
    name: 'chain-refused-in-next',
    proves: 'ends failed where a step is refused, and keeps the reason',
    script: { nextJob: refuse('spend_cap_reached') },
    steps: ['nextJob', 'finishRun'],
    ...refusedWith('spend_cap_reached'),
  },
  {
    name: 'chain-job-failed',
    proves: 'begins no further step where a job fails, and keeps the reason',
    script: { run: refuse('processing_failed') },
    steps: ['nextJob', 'finishRun'],
    ...refusedWith('processing_failed'),
  },
  {
    name: 'chain-canceled-in-job',
    proves: 'cancels the job that runs, waits for its end, then ends canceled',
    script: { run: cancelInside },
    steps: ['nextJob', 'finishRun'],
    ...endsCanceled,
  },
  {
    name: 'chain-job-canceled-in-row',
    proves:
      'ends failed, with the code canceled, when the row of its job has a cancellation that did not reach Temporal',
    script: { finish: () => 'canceled' },
    steps: ['nextJob', 'finishRun'],
    status: 'FAILED',
    failure: canceled,
  },
]

const probePaths: readonly WorkflowPath[] = [
  {
    name: 'probe-read',
    proves: 'reads the media of an estimate, after a passing failure too',
    script: { probeMedia: passingUntil(2) },
    steps: ['probeMedia'],
    attempts: { probeMedia: 2 },
    status: 'COMPLETED',
  },
  {
    name: 'probe-stored',
    proves: 'reads media in our storage on its own queue',
    isStored: true,
    script: {},
    steps: ['probeMedia from storage'],
    status: 'COMPLETED',
  },
  {
    name: 'probe-not-read',
    proves: 'shows Failed where no worker could read the media',
    script: { probeMedia: refuse('server_error') },
    steps: ['probeMedia'],
    status: 'FAILED',
  },
]

const upkeepPaths: readonly WorkflowPath[] = [
  {
    name: 'upkeep-pass-repaired',
    proves: 'reports what a pass repaired, also if its first worker was lost',
    script: { upkeepPass: passingUntil(2) },
    steps: ['upkeepPass'],
    attempts: { upkeepPass: 2 },
    status: 'COMPLETED',
    result: { startAdmittedJobs: 2 },
  },
  {
    name: 'upkeep-pass-failed',
    proves: 'shows Failed if a rule failed',
    script: { upkeepPass: () => true },
    steps: ['upkeepPass'],
    status: 'FAILED',
  },
  {
    name: 'upkeep-passes',
    proves: 'makes pass after pass, and reports what all of them repaired',
    passes: 3,
    script: {},
    steps: ['upkeepPass', 'upkeepPass', 'upkeepPass'],
    status: 'COMPLETED',
    result: { startAdmittedJobs: 6 },
  },
  {
    name: 'upkeep-passes-failed',
    proves: 'makes the next pass after a rule failed, and shows Failed at its end',
    passes: 2,
    script: { upkeepPass: () => true },
    steps: ['upkeepPass', 'upkeepPass'],
    attempts: { upkeepPass: 2 },
    status: 'FAILED',
  },
  {
    name: 'upkeep-pass-canceled',
    proves: 'makes no further pass where an operator cancels it',
    passes: 2,
    script: { upkeepPass: cancelInside },
    steps: ['upkeepPass'],
    status: 'CANCELLED',
  },
]

/** What each call says in turn: milliseconds until something is due again. */
function dueIn(...milliseconds: readonly (number | undefined)[]) {
  let call = 0
  return () => milliseconds[call++]
}

const webhookPaths: readonly WorkflowPath[] = [
  {
    name: 'webhooks-delivered',
    proves: 'ends when nothing is pending',
    script: {},
    steps: ['deliverDue'],
    status: 'COMPLETED',
  },
  {
    name: 'webhooks-due-soon',
    proves: 'goes on with what is due now, and waits for what is due soon',
    script: { deliverDue: dueIn(0, 5_000, undefined) },
    steps: ['deliverDue', 'deliverDue', 'deliverDue'],
    status: 'COMPLETED',
  },
  {
    name: 'webhooks-due-later',
    proves: 'ends, for upkeep to start it, when the next delivery is due in minutes',
    script: { deliverDue: dueIn(300_000) },
    steps: ['deliverDue'],
    status: 'COMPLETED',
  },
  {
    name: 'webhooks-no-slot',
    proves: 'tries again when its account uses its share of the slots',
    script: { deliverDue: deferred(1, 'no_slot') },
    steps: ['deliverDue', 'deliverDue'],
    status: 'COMPLETED',
  },
]

const batchPaths: readonly WorkflowPath[] = [
  {
    name: 'batches-started',
    proves: 'goes on while its account has a turn or is refused for a moment, and ends when open runs start the rest',
    script: { startItems: dueIn(0, 5_000, undefined) },
    steps: ['startItems', 'startItems', 'startItems'],
    status: 'COMPLETED',
  },
]

const closedMonth = '2026-10'

const closePaths: readonly WorkflowPath[] = [
  {
    name: 'close-pages',
    proves: 'closes a month page after page, also if a worker is lost',
    rounds: 2,
    script: { closeAccounts: (attempt) => passingUntil(2)(attempt) ?? 'two pages' },
    steps: ['closeAccounts', 'closeAccounts'],
    attempts: { closeAccounts: 4 },
    status: 'COMPLETED',
    result: { month: closedMonth, rounds: 1 },
  },
  {
    name: 'close-rounds',
    proves: 'closes the accounts that failed in another round',
    rounds: 2,
    script: { closeAccounts: everySecondTime('failed') },
    steps: ['closeAccounts', 'closeAccounts'],
    status: 'COMPLETED',
    result: { month: closedMonth, rounds: 2 },
  },
  {
    name: 'close-failed',
    proves: 'shows Failed if accounts fail in every round',
    rounds: 2,
    script: { closeAccounts: () => 'failed' },
    steps: ['closeAccounts', 'closeAccounts'],
    status: 'FAILED',
  },
]

/** Every path of every workflow. */
export const workflowPaths: readonly WorkflowPath[] = [
  ...jobPaths,
  ...chainPaths,
  ...probePaths,
  ...upkeepPaths,
  ...closePaths,
  ...webhookPaths,
  ...batchPaths,
]

export function sceneOf({ name, script, jobId = name, isStored = false, passes, rounds }: WorkflowPath): Scene {
  const scene = { workflowId: name, script }
  if (name.startsWith('job-')) return { ...scene, workflow: 'mediaJob', args: [{ jobId }] }
  if (name.startsWith('chain-')) return { ...scene, workflow: 'chain', args: [{ runId: jobId }] }
  if (name.startsWith('probe-')) return { ...scene, workflow: 'probe', args: [{ probeId: name, isStored }] }
  if (name.startsWith('webhooks-')) {
    return { ...scene, workflow: 'deliverWebhooks', args: [{ endpointId: name, accountId: 'acct_a' }] }
  }
  if (name.startsWith('batches-')) return { ...scene, workflow: 'startBatchItems', args: [{ accountId: name }] }
  if (name.startsWith('close-')) {
    return { ...scene, workflow: 'closeMonth', args: [{ month: closedMonth, rounds, pauseSeconds: 1 }] }
  }
  return { ...scene, workflow: 'upkeep', args: passes === undefined ? [] : [{ passes, pauseSeconds: 1 }] }
}
