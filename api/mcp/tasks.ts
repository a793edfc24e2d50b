import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { getChain } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { toUsd } from '../../src/core/money.ts'
import { counted, quoted, shortened } from '../../src/core/text.ts'
import { type Failure, failureOfJob, failureSchema, findJob, type JobWithOutputs } from '../../src/jobs/job-rows.ts'
import { awaitsConsent, type RunWithJobs } from '../../src/jobs/run-rows.ts'
import { cancelJob } from '../jobs/change.ts'
import { readJob } from '../jobs/read.ts'
import { findOwnRun, readRun } from '../runs/read.ts'
import { cancelRun } from '../runs/routes.ts'
import { startAgreed } from '../runs/start.ts'
import { answerJob, answerRun, describeWarnings } from './answers.ts'
import type { KeyCall, ToolAnswer } from './define-tool.ts'

// The extension for tasks of version 2026-07-28: https://modelcontextprotocol.io/seps/2663-tasks-extension. A task is a job or a run,
// under its id, and nothing is stored beside it.

export const tasksExtension = 'io.modelcontextprotocol/tasks'

const declared = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    extensions: z.object({ [tasksExtension]: z.looseObject({}) }),
  }),
})

/** Whether the client declares, in the envelope of its request, that it takes tasks. */
export function takesTasks(envelope: unknown): boolean {
  return declared.safeParse(envelope).success
}

const asking = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    // Clients that say no more show forms.
    elicitation: z.looseObject({ form: z.looseObject({}).optional() }).refine(({ form, url }) => form ?? !url),
  }),
})

/** Whether the client takes tasks, and asks its user what they need. */
export function asksUser(envelope: unknown): boolean {
  return takesTasks(envelope) && asking.safeParse(envelope).success
}

export function tasksNotDeclared(): ProtocolError {
  return new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  })
}

export const taskParams = z.looseObject({ taskId: z.string().max(100) })

/** After which a client asks again. */
const pollMilliseconds = 2_000

type TaskStatus = 'working' | 'input_required' | 'completed' | 'cancelled'

export interface FoundTask {
  readonly fields: {
    readonly taskId: string
    readonly status: TaskStatus
    readonly statusMessage: string
    readonly createdAt: string
    readonly lastUpdatedAt: string
    /** It is there as long as its job. */
    readonly ttlMs: null
    readonly pollIntervalMs: number
  }
  /** What the client is to ask its user, while that is required. */
  readonly inputRequests?: Readonly<Record<string, object>>
  /** The result of the call that began it, once it is completed. */
  readonly outcome?: ToolAnswer<Record<string, unknown>> | ServiceError
}

/** A job or a run that this credential created. Others are not found, also those of the same account. */
export async function findTask(call: KeyCall, taskId: string): Promise<FoundTask> {
  const { context, credential: reader, signal } = call
  const read = { reader, waitSeconds: 0, signal }
  return found(async () =>
    isId('run', taskId)
      ? taskOfRun(call, await readRun(context, { ...read, runId: taskId }))
      : taskOfJob(call, await readJob(context, { ...read, jobId: taskId })),
  )
}

async function found<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') throw noSuchTask()
    throw error
  }
}

function noSuchTask(): ProtocolError {
  const message = 'No task with this id was created with this credential.'
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

async function taskOfJob(call: KeyCall, job: JobWithOutputs): Promise<FoundTask> {
  if (job.apiKeyId !== call.credential.keyId) throw noSuchTask()
  const warned = describeWarnings(job.warnings)
  const message = `${job.endpoint} is ${job.status} (${Math.round(job.progress * 100)} %).${warned}`
  const failure = failureOfJob(job)
  if (!job.endedAt || failure) return withoutAnswer(job, message, failure)
  const { structured, ...answer } = await answerJob(call.context, job)
  return { ...withoutAnswer(job, message), outcome: { ...answer, structured: { ...structured, deduplicated: false } } }
}

async function taskOfRun(call: KeyCall, run: RunWithJobs): Promise<FoundTask> {
  if (run.apiKeyId !== call.credential.keyId) throw noSuchTask()
  if (awaitsConsent(run)) return askingForConsent(run)
  const done = run.jobs.reduce((sum, { progress }) => sum + progress, 0) / getChain(run.chain).steps.length
  const message = `${run.chain} ${run.endedAt ? 'has ended' : `is running (${Math.round(done * 100)} %)`}.`
  const failure = run.error === null ? undefined : failureSchema.parse(run.error)
  if (!run.endedAt || failure) return withoutAnswer(run, message, failure)
  const { structured, ...answer } = await answerRun(call.context, run)
  return { ...withoutAnswer(run, message), outcome: { ...answer, structured: { ...structured, deduplicated: false } } }
}

/** The one thing that a task asks. */
const priceKey = 'price'

/** The user agrees by sending the form, which has no fields. */
function askingForConsent(run: RunWithJobs): FoundTask {
  const { chain, mediaName, mediaSeconds, limitMicroUsd } = run
  const media = mediaName === null ? '' : ` on ${quoted(shortened(mediaName, mediaNameLength))}`
  const length = mediaSeconds === null ? '' : `, ${counted(Math.ceil(mediaSeconds), 'second')} of media`
  const message = `Run ${chain}${media}${length}, for at most ${toUsd(limitMicroUsd)} USD?`
  const { fields } = withoutAnswer(run, message)
  const requestedSchema = { type: 'object', properties: {} }
  const request = { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
  return { fields: { ...fields, status: 'input_required' }, inputRequests: { [priceKey]: request } }
}

const mediaNameLength = 100

const consent = z.looseObject({ action: z.enum(['accept', 'decline', 'cancel']) })

/** Starts the run of a task whose price was agreed to, and cancels it otherwise. Responses that it does not wait for change nothing. */
export async function updateTask(
  call: KeyCall,
  taskId: string,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { inputRequests } = await findTask(call, taskId)
  const response = Object.hasOwn(responses, priceKey) ? responses[priceKey] : undefined
  if (!inputRequests || response === undefined) return
  const { data } = consent.safeParse(response)
  if (!data)
    throw new ServiceError('invalid_request', `inputResponses.${priceKey}: expected the result of an elicitation.`)
  if (data.action === 'accept') await startAgreed(call.context, await findOwnRun(call.context, call.credential, taskId))
  else await cancelTask(call, taskId)
}

type Row = Pick<JobWithOutputs, 'id' | 'createdAt' | 'endedAt'> & { readonly startedAt?: Date | null }

/** An open or failed task. A failure of a tool is a result of the protocol, which a canceled task has not. */
function withoutAnswer({ id, createdAt, startedAt, endedAt }: Row, message: string, failure?: Failure): FoundTask {
  const isCanceled = failure?.code === 'canceled'
  const endStatus = isCanceled ? 'cancelled' : 'completed'
  const fields = {
    taskId: id,
    status: endedAt ? endStatus : 'working',
    statusMessage: failure?.message ?? message,
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: (endedAt ?? startedAt ?? createdAt).toISOString(),
    ttlMs: null,
    pollIntervalMs: pollMilliseconds,
  } as const
  return { fields, ...(failure && !isCanceled ? { outcome: new ServiceError(failure.code, failure.message) } : {}) }
}

/** Cancels the work of a task. One that has ended does not change. Its result, which may be long, is not read. */
export async function cancelTask({ context, credential }: KeyCall, taskId: string): Promise<void> {
  const isRun = isId('run', taskId)
  const work = await found(async () =>
    isRun ? findOwnRun(context, credential, taskId) : findJob(context.db, credential, taskId),
  )
  if (work?.apiKeyId !== credential.keyId) throw noSuchTask()
  if (work.endedAt) return
  await (isRun ? cancelRun(context, credential, taskId) : cancelJob(context, credential, taskId))
}
