import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Job, jobQuery } from '../../api/queries.ts'
import { lengthInWords, minuteOf } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'
import { jobTitle } from '../../components/work-title.ts'
import { Found } from './found.tsx'
import { JobResult, Json } from './job-result.tsx'
import { JobError, stateOf } from './job-state.tsx'

export function JobPage() {
  const { jobId } = useParams({ from: '/owner/jobs/$jobId' })
  const query = useQuery(jobQuery(jobId))
  return (
    <Page
      title={query.data ? jobTitle(query.data) : 'Job'}
      lead={
        <Link to="/jobs" className="underline">
          All jobs
        </Link>
      }
    >
      <Loaded query={query}>{(job) => <About job={job} onOver={() => void query.refetch()} />}</Loaded>
    </Page>
  )
}

function About({ job, onOver }: { readonly job: Job; readonly onOver: () => void }) {
  const { media, media_seconds: seconds, warnings, final_price_usd: charged, estimated_price_usd: most } = job
  const price = charged ?? most
  const facts = [
    ['Media', media?.name ?? media?.host],
    ['Length', seconds === undefined ? undefined : lengthInWords(seconds)],
    [charged === undefined ? 'Costs at most' : 'Charged', price !== undefined && <Price key="price" amount={price} />],
    ['Started', minuteOf(job.created_at)],
    ['Ended', job.ended_at && minuteOf(job.ended_at)],
  ] as const
  return (
    <>
      <Panel title="About">
        <p role="status">{stateOf(job)}</p>
        <JobError job={job} />
        {warnings.length > 0 && (
          <ul aria-label="Warnings" className="flex flex-col gap-1 border-l-4 border-edge pl-3">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
          {facts.map(
            ([name, value]) =>
              value && (
                <div key={name} className="contents">
                  <dt className="text-quiet">{name}</dt>
                  <dd className="wrap-anywhere">{value}</dd>
                </div>
              ),
          )}
        </dl>
      </Panel>
      {(job.result || media?.upload_id) && (
        <Panel title="Result">
          <Found job={job} />
          <JobResult result={job.result} uploadId={media?.upload_id} onOver={onOver} />
        </Panel>
      )}
      <details className="rounded-[10px] border border-line bg-surface p-5">
        <summary className="cursor-pointer font-semibold">For developers</summary>
        <div className="flex flex-col gap-3 pt-4">
          <p className="text-quiet">
            The job as the API returns it, at <code className="break-all">/v1/jobs/{job.id}</code>.
          </p>
          <Json value={job} />
        </div>
      </details>
    </>
  )
}
