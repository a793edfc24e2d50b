import type { WorkflowStartOptions } from '@temporalio/client'
import { startAttributes } from '../core/search-attributes.ts'
import { workflowTaskQueue } from '../core/task-queues.ts'

export interface StartJobInput {
  readonly jobId: string
  readonly accountId: string
  readonly endpoint: string
  /** The key that created the job, if a key did. */
  readonly keyId?: string | null
  /** One line for operators, such as `audio/detect-silence · upl_…`. No URL, no secret, no name of a file. */
  readonly summary: string
  /** Trace context of the request that created the job, from the job's row. */
  readonly traceParent?: string | null
}

export interface StartRunInput extends Pick<StartJobInput, 'accountId' | 'keyId' | 'summary' | 'traceParent'> {
  readonly runId: string
}

export interface StartProbeInput {
  readonly probeId: string
  readonly accountId: string
  /** Whether the media is in our own storage. */
  readonly isStored: boolean
}

/** A workflow to start. Temporal starts it once, because its id is that of a row. */
export interface WorkflowStart {
  readonly workflow: 'mediaJob' | 'chain' | 'probe'
  readonly options: WorkflowStartOptions
}

const shared = { taskQueue: workflowTaskQueue, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const

export function jobStart({ jobId, accountId, endpoint, keyId, summary }: StartJobInput): WorkflowStart {
  return {
    workflow: 'mediaJob',
    options: {
      ...shared,
      workflowId: jobId,
      args: [{ jobId }],
      staticSummary: summary,
      priority: { fairnessKey: accountId },
      typedSearchAttributes: startAttributes({ accountId, endpoint, keyId }),
    },
  }
}

export function runStart({ runId, accountId, keyId, summary }: StartRunInput): WorkflowStart {
  return {
    workflow: 'chain',
    options: {
      ...shared,
      workflowId: runId,
      args: [{ runId }],
      staticSummary: summary,
      priority: { fairnessKey: accountId },
      typedSearchAttributes: startAttributes({ accountId, keyId }),
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
      typedSearchAttributes: startAttributes({ accountId }),
    },
  }
}
