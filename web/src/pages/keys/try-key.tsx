import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { isOpen } from '../../api/is-open.ts'
import { type Job, jobQuery, keysQuery } from '../../api/queries.ts'
import { Failure } from '../../components/failure.tsx'
import { Field, Form } from '../../components/form.tsx'
import { usd } from '../../components/format.ts'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

/** Runs a first job with a new key, while the page still has it. */
export function TryKey({ secret }: { readonly secret: string }) {
  const [jobId, setJobId] = useState<string>()
  const sent = useRef<{ readonly file: File; readonly mediaUrl: string }>(undefined)
  const start = useAction(async (form: FormData) => {
    const file = form.get('file')
    if (!(file instanceof File)) return
    setJobId(undefined)
    // After a lost answer, the request is the same again: it is on the same media.
    if (sent.current?.file !== file) sent.current = { file, mediaUrl: await upload(secret, file) }
    setJobId(await findSilence(secret, sent.current.mediaUrl))
    sent.current = undefined
    // Their list says when each was last used.
  }, keysQuery)
  const { data: job, error } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== undefined })
  const isBusy = start.isBusy || (jobId !== undefined && (!job || isOpen(job)))
  return (
    <Panel title="Try it">
      <p className="text-quiet">
        Finds the pauses of a recording with this key, at the price of a job. The key needs everything or the audio
        endpoints.
      </p>
      <Form action={{ ...start, isBusy }} submit="Find the pauses">
        <Field label="A recording or a film" name="file" type="file" required accept="audio/*,video/*" />
      </Form>
      {!job && <Failure error={error} />}
      <div role="status" className="empty:-mt-4">
        {isBusy && !error && <p>Uploading the file and waiting for the job…</p>}
        {job && !isBusy && <JobEnd job={job} />}
      </div>
    </Panel>
  )
}

function JobEnd({ job }: { readonly job: Job }) {
  const { id, status, error, final_price_usd, result } = job
  const silences = result && 'silences' in result && Array.isArray(result.silences) ? result.silences.length : undefined
  return (
    <p>
      Job <code className="break-all">{id}</code>{' '}
      {status === 'failed' ? `failed: ${error?.message}` : `found ${silences} pauses for ${usd(final_price_usd ?? 0)}.`}
    </p>
  )
}

async function upload(secret: string, file: File): Promise<string> {
  const form = new FormData()
  form.set('file', file)
  const request = { headers: headersOf(secret), body: { file: '' }, bodySerializer: () => form }
  return (await resultOf(api.POST('/v1/uploads', request))).upload.media_url
}

async function findSilence(secret: string, mediaUrl: string): Promise<string> {
  const body = { endpoint: 'audio/detect-silence' as const, media_url: mediaUrl }
  return (await resultOf(api.POST('/v1/jobs', { headers: headersOf(secret), body }))).job_id
}

function headersOf(secret: string) {
  return { authorization: `Bearer ${secret}` }
}
