import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Job, jobQuery } from '../../api/queries.ts'
import { lengthInWords, minuteOf } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'
import { JobError, JobResult, Json, nameOf, stateOf } from './job-result.tsx'

export function JobPage() {
  const { jobId } = useParams({ from: '/owner/jobs/$jobId' })
  const query = useQuery(jobQuery(jobId))
  return (
    <Page
      title={query.data ? nameOf(query.data.endpoint) : 'Job'}
      lead={
        <Link to="/jobs" className="underline">
          All jobs
        </Link>
      }
    >
      <Loaded query={query}>{(job) => <About job={job} />}</Loaded>
    </Page>
  )
}

function About({ job }: { readonly job: Job }) {
  const { media, media_seconds: seconds, settings, warnings } = job
  const price = job.final_price_usd ?? job.estimated_price_usd
  const facts = [
    ['Id', <code key="id">{job.id}</code>],
    ['Media', media?.name ?? media?.host],
    ['Length', seconds === undefined ? undefined : lengthInWords(seconds)],
    ['Price', price === undefined ? undefined : <Price key="price" amount={price} />],
    ['Created', minuteOf(job.created_at)],
    ['Ended', job.ended_at && minuteOf(job.ended_at)],
  ] as const
  return (
    <>
      <Panel title="About">
        <p role="status">{stateOf(job)}</p>
        <JobError job={job} />
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
          {facts.map(
            ([name, value]) =>
              value !== undefined && (
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
          <JobResult result={job.result} uploadId={media?.upload_id} />
        </Panel>
      )}
      {settings && Object.keys(settings).length > 0 && (
        <Panel title="Settings">
          <Json value={settings} />
        </Panel>
      )}
    </>
  )
}
