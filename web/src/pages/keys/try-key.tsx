import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import type { components } from '../../api/schema.d.ts'
import { Field, Form } from '../../components/form.tsx'
import { usd } from '../../components/format.ts'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

type Job = components['schemas']['Job']

/** Runs a first job with a new key, while the page still has it. */
export function TryKey({ secret }: { readonly secret: string }) {
  const [job, setJob] = useState<Job>()
  const queries = useQueryClient()
  const run = useAction(async (form: FormData) => {
    const file = form.get('file')
    setJob(undefined)
    if (file instanceof File) setJob(await findSilence(secret, file))
    // The list says when the key was last used.
    await queries.invalidateQueries(keysQuery)
  })
  return (
    <Panel title="Try it">
      <p className="text-quiet">
        Finds the pauses of a recording with this key, at the price of a job. The key needs everything or the audio
        endpoints.
      </p>
      <Form action={run} submit="Find the pauses">
        <Field label="A recording or a film" name="file" type="file" required accept="audio/*,video/*" />
      </Form>
      <div role="status" className="empty:-mt-4">
        {run.isBusy && <p>Uploading the file and waiting for the job…</p>}
        {job && !run.isBusy && <JobEnd job={job} />}
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

/** Uploads the file, creates the job and waits until it ends. */
async function findSilence(secret: string, file: File): Promise<Job | undefined> {
  const headers = { authorization: `Bearer ${secret}` }
  const form = new FormData()
  form.set('file', file)
  const { upload } = await resultOf(
    api.POST('/v1/uploads', { headers, body: { file: '' }, bodySerializer: () => form }),
  )
  const body = { endpoint: 'audio/detect-silence' as const, media_url: upload.media_url }
  const { job_id } = await resultOf(api.POST('/v1/jobs', { headers, body }))
  for (;;) {
    const params = { path: { job_id }, query: { wait: 20 } }
    const { job } = await resultOf(api.GET('/v1/jobs/{job_id}', { headers, params }))
    if (job?.status !== 'queued' && job?.status !== 'running') return job
  }
}
