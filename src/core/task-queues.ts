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
