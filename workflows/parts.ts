import { CancellationScope, proxyActivities, sleep } from '@temporalio/workflow'
import type { MediaActivities, SourceActivities } from '../activities/index.ts'
import { type MediaLocation, partOptions, planPartsOptions } from './activity-options.ts'
import { oneAtATime, untilNotDeferred } from './deferral.ts'

export interface PartsInput extends MediaLocation {
  readonly jobId: string
  readonly mediaSeconds: number
  readonly billableSeconds?: number
  readonly isStreamed: boolean
}

/** Temporal hands out activities that were scheduled simultaneously in any order. Those of a second later come after them. */
const laterMilliseconds = 1_000

/** Parts that wait for a source run beside others' on each worker, so that a few of them use all that a server sends. */
const maxStreamedParts = 8

/**
 * Does the parts of a job's work on every worker that has a free slot; the account's fairness key orders them among those of other
 * accounts. Each is retried alone. The first that fails ends the others.
 */
export async function runParts({ jobId, ...about }: PartsInput): Promise<void> {
  const { planParts } = proxyActivities<SourceActivities>(planPartsOptions(about))
  const { shares, shorterLast = 0 } = await untilNotDeferred((turn) => planParts({ jobId, turn }))
  const lanes = about.isStreamed ? Math.min(maxStreamedParts, shares.length) : shares.length
  // Parts that wait for a source have few lanes already.
  const deferral = about.isStreamed ? { lanes } : { inTurn: oneAtATime() }
  const runOne = (part: number, share: number) => {
    const { runPart } = proxyActivities<MediaActivities>(partOptions(about, `part ${part + 1} of ${shares.length}`))
    return untilNotDeferred((turn) => runPart({ jobId, part, share, turn }), deferral)
  }
  const waiting = shares.entries()
  await CancellationScope.cancellable(() => {
    const later = shorterLast > 0 && !about.isStreamed ? sleep(laterMilliseconds) : undefined
    return allOrNone(
      Array.from({ length: lanes }, async (_, lane) => {
        if (later && lane >= lanes - shorterLast) await later
        // All share this iterator: each takes the next part.
        for (const [part, share] of waiting) await runOne(part, share)
      }),
    )
  })
}

/** Waits for all. When one fails it cancels the scope, waits for the others to stop, and throws the first failure. */
async function allOrNone(running: readonly Promise<void>[]): Promise<void> {
  const failures: unknown[] = []
  const scope = CancellationScope.current()
  await Promise.all(
    running.map((each) =>
      each.catch((error: unknown) => {
        failures.push(error)
        scope.cancel()
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
}
