/** Workflows and the short database activities. */
export const workflowTaskQueue = 'media-timeline'
/** Activities that wait for downloads: many run simultaneously, so that slow sources do not block the cores. */
export const sourceTaskQueue = 'media-timeline-sources'
/** Activities that keep a core busy: the worker runs one per core. */
export const mediaTaskQueue = 'media-timeline-media'

export const taskQueues = [workflowTaskQueue, sourceTaskQueue, mediaTaskQueue]
