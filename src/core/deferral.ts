/** The result of an activity that gave its slot back before it was done; its workflow runs it again later. Not a failure: no attempt is spent. */
export interface Deferral {
  /** no_slot: the account or the host of the media has its share of slots, or the job may have ended a worker and another such job runs. slow_source: the bytes so far are stored. long_work: a run took longer than a slot for short ones allows. no_disk: this worker's disk is nearly full. no_database: it gave no answer for minutes. */
  readonly deferred: 'no_slot' | 'slow_source' | 'long_work' | 'no_disk' | 'no_database'
}

export function isDeferral(result: unknown): result is Deferral {
  return typeof result === 'object' && result !== null && 'deferred' in result
}
