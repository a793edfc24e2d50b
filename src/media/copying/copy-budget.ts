import { stat } from 'node:fs/promises'
import { refuseUnless } from './copy-refusal.ts'

/** For containers, and for sources of a few kilobytes. */
const slackBytes = 64 * 2 ** 20

/**
 * What the copies of one job may take on disk. Each can be as large as the source, however short its range is: a film may have one
 * keyframe, and ranges may overlap.
 */
export interface CopyBudget {
  /** The last copy may exceed it. */
  bytesLeft: number
}

export function copyBudget(sourceBytes: number): CopyBudget {
  return { bytesLeft: 2 * sourceBytes + slackBytes }
}

/** Makes a file of copied packets, and takes its size from the budget. Throws `CopyRefusal` if nothing is left. */
export async function withinBudget<T>(budget: CopyBudget, outputPath: string, copy: () => Promise<T>): Promise<T> {
  refuseUnless(budget.bytesLeft > 0, 'the copies of this job are together larger than twice the source')
  const made = await copy()
  budget.bytesLeft -= (await stat(outputPath)).size
  return made
}
