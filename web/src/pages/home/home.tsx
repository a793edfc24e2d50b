import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOpen } from '../../api/is-open.ts'
import { jobsQuery, uploadsQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { DropZone } from '../../uploads/drop-zone.tsx'
import { UploadList } from '../../uploads/upload-list.tsx'
import { JobList } from '../jobs/job-list.tsx'
import { MediaList } from '../media/media-list.tsx'
import { SampleEpisode } from './sample-episode.tsx'

export function HomePage() {
  const uploads = useInfiniteQuery(uploadsQuery)
  const jobs = useInfiniteQuery(jobsQuery)
  const running = jobs.data?.pages[0]?.jobs.filter(isOpen) ?? []
  return (
    <Page title="Home">
      <DropZone />
      <UploadList />
      {running.length > 0 && (
        <Section title="Running now" all={<Link to="/jobs">All jobs</Link>}>
          <JobList jobs={running} />
        </Section>
      )}
      <Section title="Recent media" all={<Link to="/media">All media</Link>}>
        <Loaded query={uploads}>
          {(all) =>
            all.length === 0 ? (
              <Empty icon="media" text="Your recordings appear here, with their pauses, words and cuts.">
                <SampleEpisode />
              </Empty>
            ) : (
              <MediaList uploads={all.slice(0, 6)} />
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}

interface SectionProps {
  readonly title: string
  readonly all: ReactNode
  readonly children: ReactNode
}

function Section({ title, all, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between">
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-quiet underline">{all}</p>
      </div>
      {children}
    </section>
  )
}
