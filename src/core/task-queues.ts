/** Workflows and the short database steps. */
export const workflowTaskQueue = 'media-timeline'
/** Steps that read and make media: as many at once as the worker has slots. */
export const mediaTaskQueue = 'media-timeline-media'
