/** Workflows and the short database steps. */
export const workflowTaskQueue = 'media-timeline'
/** Steps that wait for downloads: many run simultaneously, so that slow sources do not block the cores. */
export const sourceTaskQueue = 'media-timeline-sources'
/** Steps that keep a core busy: the worker runs one per core. */
export const mediaTaskQueue = 'media-timeline-media'

export const taskQueues = [workflowTaskQueue, sourceTaskQueue, mediaTaskQueue]
