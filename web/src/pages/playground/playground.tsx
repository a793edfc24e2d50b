import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { allJobs, catalogQuery, workflowsQuery } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Select } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'
import { useAction } from '../../components/use-action.ts'
import { workTitle } from '../../components/work-title.ts'
import { Answer, type Started } from './answer.tsx'
import { MediaFields } from './media-fields.tsx'
import { Program } from './program.tsx'
import { type Offer, offersOf, type PlaygroundRequest, requestOf } from './request.ts'
import { SettingFields } from './setting-fields.tsx'

export function PlaygroundPage() {
  const catalog = useQuery(catalogQuery)
  const workflows = useQuery(workflowsQuery)
  return (
    <Page title="Playground" lead="Try any endpoint or chain on your media, then take the request into your program.">
      <Loaded query={catalog}>
        {(endpoints) => <Loaded query={workflows}>{(chains) => <Trial offers={offersOf(endpoints, chains)} />}</Loaded>}
      </Loaded>
    </Page>
  )
}

/** What a request costs at most, in USD; of a chain also each step. */
interface Priced {
  readonly usd: number
  readonly steps: readonly { readonly endpoint: string; readonly max_price_usd: number }[]
}

async function priceOf({ kind, id, body }: PlaygroundRequest): Promise<Priced> {
  if (kind === 'endpoint')
    return { usd: (await resultOf(api.POST('/v1/estimate', jobOf(id, body)))).estimated_price_usd, steps: [] }
  const { plan } = await resultOf(api.POST('/v1/workflows/{workflow_id}/runs', runOf(id, { mode: 'plan', ...body })))
  return { usd: plan?.max_price_usd ?? 0, steps: plan?.steps ?? [] }
}

/** Runs what was priced, for at most that price. */
async function start({ kind, id, body }: PlaygroundRequest, { usd }: Priced): Promise<Started> {
  const request = { ...body, max_price_usd: usd }
  if (kind === 'endpoint') return { kind: 'job', id: (await resultOf(api.POST('/v1/jobs', jobOf(id, request)))).job_id }
  const run = runOf(id, { mode: 'run_all', ...request })
  const answer = await resultOf(api.POST('/v1/workflows/{workflow_id}/runs', run))
  return { kind: 'run', id: ('run' in answer && answer.run_id) || '' }
}

/** The request as JSON: the types of the client name one endpoint each. */
function jobOf(endpoint: string, body: object) {
  const bodySerializer = () => JSON.stringify({ endpoint, ...body })
  return { body: { endpoint: 'audio/detect-silence' as const }, bodySerializer }
}

function runOf(workflowId: string, body: object) {
  const params = { path: { workflow_id: workflowId } }
  return { params, body: { mode: 'plan' as const, settings: {} }, bodySerializer: () => JSON.stringify(body) }
}

/** What runs is what was priced: a change of the form takes the price away, also one that is on its way. */
function Trial({ offers }: { readonly offers: readonly Offer[] }) {
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState(offers[0]?.id)
  const changes = useRef(0)
  const [asked, setAsked] = useState<PlaygroundRequest>()
  /** Undefined once it has run: each run is priced. */
  const [priced, setPriced] = useState<Priced>()
  const [started, setStarted] = useState<Started>()
  const offer = offers.find((each) => each.id === chosen)
  const forget = () => {
    changes.current += 1
    setAsked(undefined)
    setPriced(undefined)
  }
  const price = useAction(async () => {
    if (!offer || !form.current) return
    const before = changes.current
    const request = requestOf(offer, new FormData(form.current))
    const found = await priceOf(request)
    if (changes.current !== before) return
    setAsked(request)
    setPriced(found)
  })
  const run = useAction(async () => {
    if (!asked || !priced) return
    setStarted(await start(asked, priced))
    setPriced(undefined)
  }, allJobs)
  const isBusy = price.isBusy || run.isBusy
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (priced) {
      // The answer to the request before would look like that to this one.
      setStarted(undefined)
      run.run()
    } else price.run()
  }
  return (
    <>
      <Panel title="Request">
        <form ref={form} onSubmit={submit} onChange={forget} className="flex flex-col gap-5">
          <OfferField offers={offers} chosen={offer} onChoose={setChosen} />
          {offer?.readsMedia && <MediaFields />}
          {offer && <SettingFields key={offer.id} kind={offer.kind} forms={offer.forms} onRemove={forget} />}
          <Failure error={price.error ?? run.error} />
          {priced && <Steps steps={priced.steps} />}
          <div>
            <Button type="submit" look="primary" isBusy={isBusy} className="max-sm:w-full">
              {priced ? (
                <span>
                  Run · {priced.steps.length > 0 && 'at most '}
                  <Price amount={priced.usd} />
                </span>
              ) : (
                'See the price'
              )}
            </Button>
          </div>
        </form>
      </Panel>
      {started && <Answer {...started} />}
      {asked && <Program request={asked} />}
    </>
  )
}

interface OfferFieldProps {
  readonly offers: readonly Offer[]
  readonly chosen: Offer | undefined
  readonly onChoose: (id: string) => void
}

function OfferField({ offers, chosen, onChoose }: OfferFieldProps) {
  const groups = [
    ['endpoint', 'Endpoints'],
    ['chain', 'Chains of several'],
  ] as const
  return (
    <Select
      label="Endpoint or chain"
      hint={chosen?.summary}
      value={chosen?.id}
      onChange={({ target }) => onChoose(target.value)}
    >
      {groups.map(([kind, label]) => (
        <optgroup key={kind} label={label}>
          {offers
            .filter((each) => each.kind === kind)
            .map((each) => (
              <option key={each.id} value={each.id}>
                {workTitle(each.id)} · {each.id}
              </option>
            ))}
        </optgroup>
      ))}
    </Select>
  )
}

/** What each step of a chain costs at most. */
function Steps({ steps }: Pick<Priced, 'steps'>) {
  if (steps.length === 0) return null
  return (
    <ol aria-label="Plan" className="flex list-decimal flex-col gap-1 pl-5">
      {steps.map(({ endpoint, max_price_usd: usd }) => (
        <li key={endpoint}>
          {endpoint} · at most <Price amount={usd} />
        </li>
      ))}
    </ol>
  )
}
