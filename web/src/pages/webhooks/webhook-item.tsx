import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, resultOf } from '../../api/client.ts'
import { deliveriesQuery, type WebhookEndpoint, webhooksQuery } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { minuteOf } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { useAction } from '../../components/use-action.ts'

interface Props {
  readonly endpoint: WebhookEndpoint
  readonly onSecret: (secret: string) => void
}

/** A webhook endpoint, what can be done with it, and what was sent to it. */
export function WebhookItem({ endpoint, onSecret }: Props) {
  const { id, url, description, event_types, status } = endpoint
  const [isOpen, setOpen] = useState(false)
  const params = { path: { webhook_endpoint_id: id } }
  const list = { queryKey: webhooksQuery.queryKey, exact: true }
  const test = useAction(async () => {
    await resultOf(api.POST('/v1/webhook-endpoints/{webhook_endpoint_id}/test', { params }))
    setOpen(true)
  }, deliveriesQuery(id))
  const toggle = useAction(() => {
    const body = { status: status === 'active' ? 'paused' : 'active' } as const
    return resultOf(api.PATCH('/v1/webhook-endpoints/{webhook_endpoint_id}', { params, body }))
  }, list)
  const rotate = async () => {
    const made = await resultOf(api.POST('/v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret', { params }))
    onSecret(made.secret)
  }
  const remove = () => {
    // Its deliveries are gone with it.
    setOpen(false)
    return resultOf(api.DELETE('/v1/webhook-endpoints/{webhook_endpoint_id}', { params }))
  }
  return (
    <li className="flex flex-col gap-3 rounded-[10px] border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{url}</h3>
        <p className={status === 'disabled' ? 'text-danger' : 'text-quiet'}>{stateOf(endpoint)}</p>
      </div>
      <p className="text-quiet">
        {[description, event_types.length === 0 ? 'Every event' : event_types.join(', ')].filter(Boolean).join(' · ')}
      </p>
      <Failure error={test.error ?? toggle.error} />
      <div className="flex flex-wrap gap-2">
        <Button aria-label={`Send a test to ${url}`} isBusy={test.isBusy} onClick={() => test.run()}>
          Send a test
        </Button>
        <Button aria-expanded={isOpen} aria-label={`Deliveries to ${url}`} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </Button>
        <Button isBusy={toggle.isBusy} aria-label={`${toggleOf(status)} ${url}`} onClick={() => toggle.run()}>
          {toggleOf(status)}
        </Button>
        <ConfirmDialog
          open="Rotate the secret"
          openLabel={`Rotate the secret of ${url}`}
          title="Rotate the signing secret?"
          confirm="Rotate the secret"
          work={rotate}
        >
          The page shows the new secret once. For a day, the one before signs too.
        </ConfirmDialog>
        <ConfirmDialog
          open="Delete"
          openLabel={`Delete ${url}`}
          title="Delete the webhook endpoint?"
          confirm="Delete the endpoint"
          work={remove}
          changes={list}
        >
          It gets nothing more, and its deliveries are not listed any more. This cannot be undone.
        </ConfirmDialog>
      </div>
      {isOpen && <Deliveries endpointId={id} />}
    </li>
  )
}

function toggleOf(status: WebhookEndpoint['status']): string {
  return { active: 'Pause', paused: 'Resume', disabled: 'Enable' }[status]
}

function stateOf({ status, disabled_reason, failing_since }: WebhookEndpoint): string {
  if (status === 'disabled') return disabled_reason === 'gone' ? 'Disabled: it answered 410' : 'Disabled: it failed'
  if (status === 'paused') return 'Paused'
  return failing_since ? `Failing since ${minuteOf(failing_since)}` : 'Active'
}

/** Read again while some are under way. */
function Deliveries({ endpointId }: { readonly endpointId: string }) {
  return (
    <Loaded query={useQuery(deliveriesQuery(endpointId))}>
      {(deliveries) =>
        deliveries.length === 0 ? (
          <p className="text-quiet">Nothing was sent yet. “Send a test” sends an event at once.</p>
        ) : (
          <div className="overflow-x-auto">
            <table className="w-full border-collapse text-left tabular-nums">
              <caption className="sr-only">Deliveries</caption>
              <thead>
                <tr className="border-b border-edge">
                  {['Event', 'State', 'Attempts', 'Answer', 'Last attempt'].map((name) => (
                    <th
                      key={name}
                      scope="col"
                      className={`py-2 pr-4 font-semibold ${name === 'Attempts' ? 'max-sm:hidden' : ''}`}
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {deliveries.map(({ event_id, type, status, attempts, last_status, last_error, last_attempt_at }) => (
                  <tr key={event_id} className="border-b border-line">
                    <th scope="row" className="py-2 pr-4 font-normal wrap-anywhere">
                      {type}
                    </th>
                    <td className={`py-2 pr-4 ${status === 'failed' ? 'text-danger' : ''}`}>{status}</td>
                    <td className="py-2 pr-4 max-sm:hidden">{attempts}</td>
                    <td className="py-2 pr-4">{last_status ?? last_error?.replaceAll('_', ' ') ?? '–'}</td>
                    <td className="py-2 sm:whitespace-nowrap">{last_attempt_at ? minuteOf(last_attempt_at) : '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  )
}
