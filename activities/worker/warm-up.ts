import { setTimeout } from 'node:timers/promises'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { openConnections } from '../../src/store/database.ts'
import { missingProbe } from '../../src/temporal/workflow-starts.ts'
import type { Dependencies } from '../dependencies.ts'
import { rehearseShortJob } from './rehearse-short-job.ts'

/**
 * Does once what the first job would wait for: connects to database and storage, loads the code of the endpoints, and plays a
 * short job. Never throws: a worker that cannot do this reports it with its first job.
 */
export async function warmUp(deps: Dependencies): Promise<void> {
  const start = performance.now()
  const load = () => Promise.all(endpoints.flatMap((endpoint) => (endpoint.readsMedia ? [endpoint.load()] : [])))
  const rehearse = () => openConnections(deps.db).then(() => rehearseShortJob(deps))
  const results = await Promise.allSettled([deps.storage.ping(), rehearse(), load()])
  for (const result of results)
    if (result.status === 'rejected') deps.logger.warn({ err: result.reason }, 'not warm: the first job takes longer')
  deps.logger.debug({ milliseconds: Math.round(performance.now() - start) }, 'warmed up')
}

const maxWorkflowMilliseconds = 2_000

/**
 * Runs the workflow of an estimate that no probe has, once the workers poll: it evaluates the workflows' code and compiles
 * Temporal's messages, for which the first job would wait a quarter of a second. Another worker may take it. Never throws.
 */
export async function playWorkflow({ jobs, logger }: Pick<Dependencies, 'jobs' | 'logger'>): Promise<void> {
  const probe = missingProbe()
  const end = performance.now() + maxWorkflowMilliseconds
  try {
    await jobs.startProbe(probe)
    while (performance.now() < end && (await jobs.isOpen(probe.probeId))) await setTimeout(10)
  } catch (error) {
    logger.warn({ err: error }, 'no workflow played: the first job takes longer')
  }
}
