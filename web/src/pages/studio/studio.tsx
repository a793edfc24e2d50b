import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../../api/client.ts'
import { jobsOnMediaQuery, uploadQuery } from '../../api/queries.ts'
import { buttonStyle } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Workbench } from '../../studio/workbench.tsx'

export function StudioPage() {
  const { uploadId } = useParams({ from: '/owner/studio/$uploadId' })
  const upload = useQuery(uploadQuery(uploadId))
  const jobs = useQuery({ ...jobsOnMediaQuery(upload.data?.name ?? ''), enabled: upload.data !== undefined })
  // Before, it would offer to find what is found. Where the jobs cannot be read, the media still plays.
  const isEarly = jobs.isPending && jobs.failureCount === 0
  useEffect(() => {
    document.title = `${upload.data?.name ?? 'Studio'} · Media Timeline`
  }, [upload.data?.name])
  if (upload.error && !upload.data) return <Unopened error={upload.error} />
  return (
    <Loaded query={upload}>
      {(data) =>
        isEarly ? <p role="status">Loading…</p> : <Workbench key={data.id} upload={data} jobs={jobs.data ?? []} />
      }
    </Loaded>
  )
}

/** Why there is no studio at the address, and the way on. */
function Unopened({ error }: { readonly error: Error }) {
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <div className="px-4 py-6 sm:px-8 sm:py-8">
      <Page title={isUnknown ? 'Media not found' : 'The studio did not open'}>
        <Failure error={error} />
        {isUnknown && <p>The address is wrong, the media was deleted, or another account has it.</p>}
        <div>
          <Link to="/media" className={buttonStyle.primary}>
            To your media
          </Link>
        </div>
      </Page>
    </div>
  )
}
