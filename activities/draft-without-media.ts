import type { TimelineEndpoint } from '../src/endpoints/define-timeline-endpoint.ts'
import type { NewDraft } from '../src/store/job-documents.ts'
import { getEarlierJob, type Job } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

/** What a job that reads no media ends with: the answer to its settings, at no price. */
export async function draftWithoutMedia(deps: Dependencies, job: Job, endpoint: TimelineEndpoint): Promise<NewDraft> {
  const began = performance.now()
  const result = await endpoint.run({
    settings: job.settings,
    earlierJob: async (jobId) => {
      const earlier = await getEarlierJob(deps.db, job, jobId)
      return { id: earlier.id, window: earlier, result: earlier.result }
    },
  })
  deps.metrics.processingSeconds.inc({ endpoint: job.endpoint }, (performance.now() - began) / 1000)
  return { result, files: [], billedMilliseconds: 0 }
}
