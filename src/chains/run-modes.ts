/** How much of a chain a request runs. */
export const runModes = ['plan', 'queue_first', 'run_all'] as const
