import type { WorkflowStartOptions } from '@temporalio/client'
import { workflowTaskQueue } from '../core/task-queues.ts'
import { accountIdAttribute, endpointAttribute } from './search-attributes.ts'

export interface StartJobInput {
  readonly jobId: string
  readonly accountId: string
  readonly endpoint: string
  /** One line for operators, such as `audio/detect-silence · interview.mp4`. No URL, no secret. */
  readonly summary: string
  /** Trace context of the request that created the job, from the job's row. */
  readonly traceParent?: string | null
}

export interface StartRunInput extends Pick<StartJobInput, 'accountId' | 'summary' | 'traceParent'> {
  readonly runId: string
}

export interface StartProbeInput {
  readonly probeId: string
  readonly accountId: string
  /** Whether the media is in our own storage. */
  readonly isStored: boolean
}

/** A workflow to start: once, since its id is that of a row. */
export interface WorkflowStart {
  readonly workflow: 'mediaJob' | 'chain' | 'probe'
  readonly options: WorkflowStartOptions
}

const shared = { taskQueue: workflowTaskQueue, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const

export function jobStart({ jobId, accountId, endpoint, summary }: StartJobInput): WorkflowStart {
  return {
    workflow: 'mediaJob',
    options: {
      ...shared,
      workflowId: jobId,
      args: [{ jobId }],
      staticSummary: summary,
      priority: { fairnessKey: accountId },
      typedSearchAttributes: [
        { key: accountIdAttribute, value: accountId },
        { key: endpointAttribute, value: endpoint },
      ],
    },
  }
}

export function runStart({ runId, accountId, summary }: StartRunInput): WorkflowStart {
  return {
    workflow: 'chain',
    options: {
      ...shared,
      workflowId: runId,
      args: [{ runId }],
      staticSummary: summary,
      priority: { fairnessKey: accountId },
      typedSearchAttributes: [{ key: accountIdAttribute, value: accountId }],
    },
  }
}

export function probeStart({ probeId, accountId, isStored }: StartProbeInput): WorkflowStart {
  return {
    workflow: 'probe',
    options: {
      ...shared,
      workflowId: probeId,
      workflowExecutionTimeout: '1 minute',
      args: [{ probeId, isStored }],
      staticSummary: 'media of an estimate',
      priority: { fairnessKey: accountId },
      typedSearchAttributes: [{ key: accountIdAttribute, value: accountId }],
    },
  }
}
