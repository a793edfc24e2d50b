import { Context } from '@temporalio/activity'
import { errorTable, ServiceError } from '../src/core/errors.ts'
import type { Failure } from '../src/store/job-documents.ts'
import { outcomeOf, type Probe, recordOutcome } from '../src/store/probes.ts'
import { findEndsOf } from '../src/store/worker-ends.ts'
import type { Dependencies } from './dependencies.ts'
import { readMedia } from './inspect.ts'
import { closeSource } from './source/open.ts'
import { whileBeating } from './worker/heartbeat.ts'
import { assertAccountMayWork, workersBlocked } from './worker/lost-attempts.ts'

export interface EstimateProbeInput {
  readonly probeId: string
}

/** Few, because a caller waits for the outcome. */
const maxAttempts = 3

/** Reads the description of an estimate's media, or records why it cannot be read. */
export async function probeForEstimate(deps: Dependencies, probe: Probe): Promise<void> {
  const { id: probeId } = probe
  if (outcomeOf(probe)) return
  try {
    const ends = await findEndsOf(deps.db, probe)
    if (ends.workerEnds > 0) throw new ServiceError('processing_failed', workersBlocked)
    assertAccountMayWork(ends)
    const read = () => whileBeating((signal) => readMedia(deps, probe, signal))
    const { info } = await deps.watchdog.during(probeId, read)
    await recordOutcome(deps.db, probeId, { info })
  } catch (error) {
    const { cancellationSignal, info } = Context.current()
    const isPassing = error instanceof ServiceError && error.isRetriedAfter(info.attempt) && info.attempt < maxAttempts
    if (isPassing || cancellationSignal.aborted) throw error
    deps.logger.warn({ probeId, accountId: probe.accountId, err: error }, 'media not probed')
    await recordOutcome(deps.db, probeId, { failure: probeFailure(error) })
  } finally {
    await closeSource(deps, probeId)
  }
}

function probeFailure(error: unknown): Failure {
  return error instanceof ServiceError
    ? { code: error.code, message: error.message }
    : { code: 'server_error', message: errorTable.server_error.message }
}
