import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { catalogQuery, isOpen, jobQuery, uploadsQuery } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Field, inputStyle } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'
import { useAction } from '../../components/use-action.ts'
import { useCopy } from '../../components/use-copy.ts'
import { programsFor } from './programs.ts'
import { type JobRequest, type Offered, offeredEndpoints, requestOf } from './request.ts'
import { SettingFields } from './setting-fields.tsx'

export function PlaygroundPage() {
  const catalog = useQuery(catalogQuery)
  return (
    <Page title="Playground" lead="Try any endpoint on your media, then take the request into your program.">
      <Loaded query={catalog}>{(endpoints) => <Trial endpoints={offeredEndpoints(endpoints)} />}</Loaded>
    </Page>
  )
}

/** What is sent is what the form shows: a change of the form takes the price away, which was of another request. */
function Trial({ endpoints }: { readonly endpoints: readonly Offered[] }) {
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const [chosen, setChosen] = useState(endpoints[0]?.id)
  const [request, setRequest] = useState<JobRequest>()
  const [priceUsd, setPriceUsd] = useState<number>()
  const [jobId, setJobId] = useState<string>()
  const queryClient = useQueryClient()
  const endpoint = endpoints.find((each) => each.id === chosen)
  const read = () => {
    if (!endpoint || !form.current) return undefined
    const made = requestOf(endpoint, new FormData(form.current))
    setRequest(made)
    return made
  }
  const price = useAction(async () => {
    const made = read()
    if (made) setPriceUsd((await resultOf(api.POST('/v1/estimate', sending(made)))).estimated_price_usd)
  })
  const run = useAction(async () => {
    const made = read()
    if (made) setJobId((await resultOf(api.POST('/v1/jobs', sending(made)))).job_id)
    await queryClient.invalidateQueries({ queryKey: ['jobs'] })
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (priceUsd === undefined) price.run()
    else run.run()
  }
  const isBusy = price.isBusy || run.isBusy
  return (
    <>
      <Panel title="Request">
        <form
          ref={form}
          onSubmit={submit}
          onChange={() => {
            setPriceUsd(undefined)
            setRequest(undefined)
          }}
          className="flex flex-col gap-5"
        >
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="font-medium">
              Endpoint
            </label>
            <select id={id} value={chosen} onChange={({ target }) => setChosen(target.value)} className={inputStyle}>
              {endpoints.map((each) => (
                <option key={each.id}>{each.id}</option>
              ))}
            </select>
            <p className="text-sm text-quiet">{endpoint?.summary}</p>
          </div>
          {endpoint?.needs.media && <MediaFields />}
          {endpoint && <SettingFields key={endpoint.id} settings={endpoint.settings} />}
          <Failure error={price.error ?? run.error} />
          <div>
            <Button type="submit" look="primary" isBusy={isBusy} className="max-sm:w-full">
              {priceUsd === undefined ? (
                'See the price'
              ) : (
                <span>
                  Run · <Price amount={priceUsd} />
                </span>
              )}
            </Button>
          </div>
        </form>
      </Panel>
      {jobId && <Answer jobId={jobId} />}
      {request && <Program request={request} />}
    </>
  )
}

/** The request as JSON: the types of the client name one endpoint each. */
function sending(request: JobRequest) {
  return { body: { endpoint: 'audio/detect-silence' as const }, bodySerializer: () => JSON.stringify(request) }
}

function MediaFields() {
  const id = useId()
  const uploads = useInfiniteQuery(uploadsQuery).data?.pages.flatMap((page) => page.uploads) ?? []
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          Your media
        </label>
        <select id={id} name="upload" className={inputStyle}>
          {uploads.length === 0 && <option value="">None yet: upload a recording on Home</option>}
          {uploads.map(({ id: uploadId, name, media_url }) => (
            <option key={uploadId} value={media_url}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Field label="Or a public address" name="url" type="url" maxLength={2048} autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="From second" name="start" placeholder="the beginning, or such as 1:30" autoComplete="off" />
        <Field label="To second" name="end" placeholder="the end, or such as 2:00" autoComplete="off" />
      </div>
    </>
  )
}

function Answer({ jobId }: { readonly jobId: string }) {
  const query = useQuery(jobQuery(jobId))
  return (
    <Panel title="Answer">
      <Loaded query={query}>
        {(job) => (
          <>
            <p role="status">
              {isOpen(job) ? `${Math.floor(job.progress * 100)} % done` : `The job is ${job.status}.`}
            </p>
            <pre className="rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap">
              {JSON.stringify(job.error ?? job.result ?? { job_id: job.id }, null, 2)}
            </pre>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Program({ request }: { readonly request: JobRequest }) {
  const programs = programsFor(window.location.origin, request)
  const id = useId()
  const [language, setLanguage] = useState<keyof typeof programs>('curl')
  const { copy, said, forget } = useCopy()
  return (
    <Panel title="The same in a program">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          Language
        </label>
        <select
          id={id}
          value={language}
          onChange={({ target }) => {
            setLanguage(target.value === 'curl' || target.value === 'Python' ? target.value : 'TypeScript')
            forget()
          }}
          className={inputStyle}
        >
          {Object.keys(programs).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <pre className="rounded-md bg-raised p-3 text-sm break-all whitespace-pre-wrap select-all">
        {programs[language]}
      </pre>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => copy(programs[language])}>Copy the program</Button>
        <span role="status">{said}</span>
      </div>
    </Panel>
  )
}
