/** Workflows and the short database steps. */
export const workflowTaskQueue = 'media-timeline'
/** Steps that wait for sources to arrive: many at once, so that slow ones keep nobody from the cores. */
export const sourceTaskQueue = 'media-timeline-sources'
/** Steps that keep a core busy: as many at once as the worker has. */
export const mediaTaskQueue = 'media-timeline-media'

export const taskQueues = [workflowTaskQueue, sourceTaskQueue, mediaTaskQueue]
