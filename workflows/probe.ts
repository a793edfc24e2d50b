import { proxyActivities } from '@temporalio/workflow'
import type { SourceActivities } from '../activities/index.ts'
import { probeOptions } from './activity-options.ts'

export interface ProbeInput {
  readonly probeId: string
}

const { probeMedia } = proxyActivities<SourceActivities>(probeOptions)

/** Reads the media of an estimate, whose caller may be waiting. */
export async function probe({ probeId }: ProbeInput): Promise<void> {
  await probeMedia({ probeId })
}
