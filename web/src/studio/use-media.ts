import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isOpen } from '../api/is-open.ts'
import { type Job, jobQuery, type PlayableUpload } from '../api/queries.ts'
import { useUploads } from '../uploads/upload-context.ts'
import { newestCopyOf, newestOn } from './studio-queries.ts'
import { useLength } from './use-length.ts'
import { useSource } from './use-source.ts'

/** What the studio knows of an upload: where it plays from, how long it is, and the newest of the jobs on it. */
export function useMedia(upload: PlayableUpload, jobs: readonly Job[]) {
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
  return { source, sent, isReady, length, pausesJob, wordsJob, copyJob }
}

/** The job as it is now, while it is open. The list can know its end first: then nothing reads the job again. */
function useCurrent(job: Job | undefined): Job | undefined {
  const { data } = useQuery({ ...jobQuery(job?.id ?? ''), enabled: job !== undefined && isOpen(job) })
  if (!job || data?.id !== job.id) return job
  return isOpen(data) && !isOpen(job) ? job : data
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
