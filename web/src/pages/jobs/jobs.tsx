import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isOpen } from '../../api/is-open.ts'
import { jobsQuery } from '../../api/queries.ts'
import { buttonStyle } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { JobList, runningInWords } from './job-list.tsx'

export function JobsPage() {
  const query = useInfiniteQuery(jobsQuery)
  return (
    <Page title="Jobs" lead="What the studio, your programs and your assistants asked for, newest first.">
      <Loaded query={query}>
        {({ pages }) => {
          const jobs = pages.flatMap((page) => page.jobs)
          const open = jobs.filter(isOpen).length
          if (jobs.length === 0)
            return (
              <Empty icon="jobs" text="A job looks at a recording, or cuts it. You have none yet.">
                <Link to="/" className={buttonStyle.primary}>
                  Upload a recording
                </Link>
              </Empty>
            )
          return (
            <div className="flex flex-col gap-3">
              <p role="status" className="text-quiet">
                {open === 0 ? 'Nothing is running.' : `${runningInWords(open)}.`}
              </p>
              <JobList jobs={jobs} />
            </div>
          )
        }}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  )
}
