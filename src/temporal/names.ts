/** Workflows and the short database activities. */
export const workflowTaskQueue = 'media-timeline'
/** Activities that wait for servers of callers: many run simultaneously, so that slow ones do not block the cores. */
export const sourceTaskQueue = 'media-timeline-sources'
/** The same activities on media in our own storage, which never queues behind the internet. */
export const storageTaskQueue = 'media-timeline-storage'
/** Activities that keep a core busy: the worker runs one per core. */
export const mediaTaskQueue = 'media-timeline-media'
/** Media activities that take seconds; they never queue behind renders of minutes. The worker has as many more task slots for them, at least four. */
export const shortTaskQueue = 'media-timeline-short'
/** Activities that run models. Only workers with models poll it, so that no job waits on one that cannot do it. */
export const modelTaskQueue = 'media-timeline-models'

export const taskQueues = [
  workflowTaskQueue,
  sourceTaskQueue,
  storageTaskQueue,
  mediaTaskQueue,
  shortTaskQueue,
  modelTaskQueue,
]

// Operators can filter and sort by these in the Web UI and the CLI. The namespace must have them before a workflow starts.

export const accountIdAttribute = { name: 'AccountId', type: 'KEYWORD' } as const
export const endpointAttribute = { name: 'Endpoint', type: 'KEYWORD' } as const
/** The key that created the job or run. */
export const keyIdAttribute = { name: 'KeyId', type: 'KEYWORD' } as const
/** Set only if the workflow fails: each change counts as an action on Temporal Cloud. */
export const errorCodeAttribute = { name: 'ErrorCode', type: 'KEYWORD' } as const

export const searchAttributes = [accountIdAttribute, endpointAttribute, keyIdAttribute, errorCodeAttribute]

export interface StartAttributes {
  readonly accountId: string
  /** Undefined for a run; its jobs have one. */
  readonly endpoint?: string
  readonly keyId?: string | null | undefined
}

/** The attributes that a workflow starts with. */
export function startAttributes({ accountId, endpoint, keyId }: StartAttributes) {
  return [
    { key: accountIdAttribute, value: accountId },
    ...(endpoint ? [{ key: endpointAttribute, value: endpoint }] : []),
    ...(keyId ? [{ key: keyIdAttribute, value: keyId }] : []),
  ]
}

/** The result of an activity that gave its slot back before it was done; its workflow runs it again later. Not a failure: no attempt is spent. */
export interface Deferral {
  /** no_slot: the account or the host of the media has its share of slots, or the job may have ended a worker and another such job runs. slow_source: the bytes so far are stored. long_work: a run took longer than a slot for short ones allows. no_disk: this worker's disk is nearly full. no_database: it gave no answer for minutes. */
  readonly deferred: 'no_slot' | 'slow_source' | 'long_work' | 'no_disk' | 'no_database'
}

export function isDeferral(result: unknown): result is Deferral {
  return typeof result === 'object' && result !== null && 'deferred' in result
}
