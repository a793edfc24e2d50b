import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isOpen } from '../../api/is-open.ts'
import { type Job, jobQuery } from '../../api/queries.ts'
import { JobFailure, Problem } from '../../components/failure.tsx'
import { reasonInWords } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'
import { runQuery } from '../../studio/studio-queries.ts'
import { JobResult, Json } from '../jobs/job-result.tsx'

/** What was started: a job, or a run of a chain. */
export interface Started {
  readonly kind: 'job' | 'run'
  readonly id: string
}

export function Answer({ kind, id }: Started) {
  return <Panel title="Answer">{kind === 'job' ? <JobAnswer jobId={id} /> : <RunAnswer runId={id} />}</Panel>
}

function JobAnswer({ jobId }: { readonly jobId: string }) {
  const query = useQuery(jobQuery(jobId))
  return (
    <Loaded query={query}>
      {(job) => (
        <>
          <p role="status">
            {isOpen(job) ? `${Math.floor(job.progress * 100)} % done` : `The job ${endOf(job.status)}.`}
          </p>
          <p>
            <JobLink jobId={job.id}>The page of the job</JobLink>
          </p>
          {job.error && <JobFailure error={job.error} />}
          <JobResult result={job.result} uploadId={job.media?.upload_id} onOver={() => void query.refetch()} />
          {job.result && <Json value={job.result} />}
        </>
      )}
    </Loaded>
  )
}

function RunAnswer({ runId }: { readonly runId: string }) {
  const query = useQuery(runQuery(runId))
  return (
    <Loaded query={query}>
      {(run) => (
        <>
          <p role="status">
            {isOpen(run) ? 'The run goes on.' : `The run ${endOf(run.status)}.`}
            {!isOpen(run) && (
              <>
                {' '}
                It cost <Price amount={run.price_usd} />.
              </>
            )}
          </p>
          <ol className="flex list-decimal flex-col gap-1 pl-5">
            {run.steps.map(({ endpoint, job_id: jobId }) => (
              <li key={endpoint}>
                {jobId ? <JobLink jobId={jobId}>{endpoint}</JobLink> : <span className="text-quiet">{endpoint}</span>}
              </li>
            ))}
          </ol>
          {run.error && <Problem>{reasonInWords(run.error)}</Problem>}
          <JobResult result={run.result} uploadId={run.media?.upload_id} onOver={() => void query.refetch()} />
          {run.result && <Json value={run.result} />}
        </>
      )}
    </Loaded>
  )
}

function endOf(status: Job['status']): string {
  return status === 'failed' ? 'failed' : 'is completed'
}

function JobLink({ jobId, children }: { readonly jobId: string; readonly children: string }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId }} className="underline">
      {children}
    </Link>
  )
}
