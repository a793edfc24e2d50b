import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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

interface Priced {
  readonly request: JobRequest
  /** Undefined once it has run: each run is priced. */
  readonly usd?: number
}

/** What runs is what was priced: a change of the form takes the price away, also one that is on its way. */
function Trial({ endpoints }: { readonly endpoints: readonly Offered[] }) {
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const [chosen, setChosen] = useState(endpoints[0]?.id)
  const changes = useRef(0)
  const [priced, setPriced] = useState<Priced>()
  const [jobId, setJobId] = useState<string>()
  const queryClient = useQueryClient()
  const endpoint = endpoints.find((each) => each.id === chosen)
  const price = useAction(async () => {
    if (!endpoint || !form.current) return
    const before = changes.current
    const request = requestOf(endpoint, new FormData(form.current))
    const { estimated_price_usd: usd } = await resultOf(api.POST('/v1/estimate', sending(request)))
    if (changes.current === before) setPriced({ request, usd })
  })
  const run = useAction(async (request: JobRequest) => {
    setJobId((await resultOf(api.POST('/v1/jobs', sending(request)))).job_id)
    setPriced({ request })
    await queryClient.invalidateQueries({ queryKey: ['jobs'] })
  })
  const isBusy = price.isBusy || run.isBusy
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (priced?.usd !== undefined) run.run(priced.request)
    else price.run()
  }
  return (
    <>
      <Panel title="Request">
        <form
          ref={form}
          onSubmit={submit}
          onChange={() => {
            changes.current += 1
            setPriced(undefined)
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
              {priced?.usd !== undefined ? (
                <span>
                  Run · <Price amount={priced.usd} />
                </span>
              ) : (
                'See the price'
              )}
            </Button>
          </div>
        </form>
      </Panel>
      {jobId && <Answer jobId={jobId} />}
      {priced && <Program request={priced.request} />}
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
          {uploads.length === 0 && <option value="">None yet</option>}
          {uploads.map(({ id: uploadId, name, media_url }) => (
            <option key={uploadId} value={media_url}>
              {name}
            </option>
          ))}
        </select>
        {uploads.length === 0 && (
          <p className="text-sm text-quiet">
            <Link to="/" className="underline">
              Upload a recording
            </Link>{' '}
            first, or use a public address.
          </p>
        )}
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
