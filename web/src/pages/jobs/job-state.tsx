import { isOpen } from '../../api/is-open.ts'
import type { Job } from '../../api/queries.ts'

/** "Running, 40 %". */
export function stateOf({
  status,
  status_detail,
  progress,
}: Pick<Job, 'status' | 'status_detail' | 'progress'>): string {
  if (status_detail) return status_detail === 'canceled' ? 'Canceled' : 'Canceling'
  if (status === 'running') return `Running, ${Math.floor(progress * 100)} %`
  return { queued: 'Queued', completed: 'Completed', succeeded: 'Completed', failed: 'Failed' }[status]
}

/** What a failed job says. Nothing of others. */
export function JobError({ job }: { readonly job: Job }) {
  if (!job.error || isOpen(job) || job.status_detail === 'canceled') return null
  return <p className="text-danger">{job.error.message} It cost nothing.</p>
}
