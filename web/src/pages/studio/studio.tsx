import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { isOpen } from '../../api/is-open.ts'
import { type Job, jobQuery, jobsOnMediaQuery, type PlayableUpload, uploadQuery } from '../../api/queries.ts'
import { buttonStyle } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { newestCopyOf, newestCutOf, newestOn } from '../../studio/studio-queries.ts'
import { useLength } from '../../studio/use-length.ts'
import { useSource } from '../../studio/use-source.ts'
import { Workbench } from '../../studio/workbench.tsx'
import { useUploads } from '../../uploads/upload-context.ts'

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
        isEarly ? <p role="status">Loading…</p> : <Studio key={data.id} upload={data} jobs={jobs.data ?? []} />
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

/** An upload with the newest of the jobs on it. */
function Studio({ upload, jobs }: { readonly upload: PlayableUpload; readonly jobs: readonly Job[] }) {
  const { store, files } = useUploads()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list says when it changes
  const sent = useMemo(() => store.fileOf(upload.id), [store, files, upload.id])
  const local = useUrlOf(sent?.file)
  const copyJob = useCurrent(newestCopyOf(jobs, upload.id))
  const source = useSource({ upload, local, copyJob })
  const pausesJob = useCurrent(newestOn(jobs, upload.id, 'audio/detect-silence'))
  const wordsJob = useCurrent(newestOn(jobs, upload.id, 'audio/find-words'))
  const isReady = upload.status === 'received' && (!sent || sent.state === 'sent')
  const length = useLength(upload, [pausesJob, wordsJob, ...jobs], isReady)
  return (
    <Workbench
      upload={upload}
      source={source}
      sent={sent}
      isReady={isReady}
      length={length}
      pausesJob={pausesJob}
      wordsJob={wordsJob}
      cutJob={newestCutOf(jobs, upload.id)}
      copyJob={copyJob}
    />
  )
}

/** The job as it is now, while it is open. */
function useCurrent(job: Job | undefined): Job | undefined {
  const { data } = useQuery({ ...jobQuery(job?.id ?? ''), enabled: job !== undefined && isOpen(job) })
  return data?.id === job?.id ? (data ?? job) : job
}

/** An address of the file, which plays at once, before its upload is complete. */
function useUrlOf(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}
