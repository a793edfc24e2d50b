import { proxyActivities } from '@temporalio/workflow'
import type { SourceActivities } from '../activities/index.ts'
import { probeOptions } from './activity-options.ts'
import { untilNotDeferred } from './deferral.ts'

export interface ProbeInput {
  readonly probeId: string
  /** Whether the media is in our own storage. */
  readonly isStored?: boolean
}

/** Reads the media of an estimate, whose caller may be waiting. */
export async function probe({ probeId, isStored }: ProbeInput): Promise<void> {
  const { probeMedia } = proxyActivities<SourceActivities>(probeOptions({ isStored }))
  await untilNotDeferred((turn) => probeMedia({ probeId, turn }))
}
