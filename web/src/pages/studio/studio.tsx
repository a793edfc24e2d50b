import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { isOpen, type Job, jobQuery, jobsOnMediaQuery, type PlayableUpload, uploadQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { newestCopyOf, newestOn } from '../../studio/studio-queries.ts'
import { useSource } from '../../studio/use-source.ts'
import { Workbench } from '../../studio/workbench.tsx'
import { useUploads } from '../../uploads/upload-context.ts'

export function StudioPage() {
  const { uploadId } = useParams({ from: '/owner/studio/$uploadId' })
  const upload = useQuery(uploadQuery(uploadId))
  useEffect(() => {
    document.title = `${upload.data?.name ?? 'Studio'} · Media Timeline`
  }, [upload.data?.name])
  return <Loaded query={upload}>{(data) => <Studio key={data.id} upload={data} />}</Loaded>
}

/** An upload with the newest jobs on it. */
function Studio({ upload }: { readonly upload: PlayableUpload }) {
  const { store, files } = useUploads()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list says when it changes
  const sent = useMemo(() => store.fileOf(upload.id), [store, files, upload.id])
  const { data: jobs = [] } = useQuery(jobsOnMediaQuery(upload.name))
  const local = useUrlOf(sent?.file)
  const copyJob = useCurrent(newestCopyOf(jobs, upload.id))
  const source = useSource({ upload, local, copyJob })
  return (
    <Workbench
      upload={upload}
      source={source}
      sent={sent}
      pausesJob={useCurrent(newestOn(jobs, upload.id, 'audio/detect-silence'))}
      wordsJob={useCurrent(newestOn(jobs, upload.id, 'audio/find-words'))}
      cutJob={newestOn(jobs, upload.id, 'video/clip-window')}
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
