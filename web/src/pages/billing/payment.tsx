import { useQuery } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { invoicesQuery, type Limits } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

/** The way to the provider's pages: to give a card, or to change it and to pay what is due. */
export function Payment({ limits }: { readonly limits: Limits }) {
  const { data: invoices = [] } = useQuery(invoicesQuery)
  const open = useAction(async () => {
    const { billing_link } = await resultOf(api.POST('/v1/account/billing-link'))
    location.assign(billing_link.url)
  })
  const isActive = limits.billing === 'active'
  const isDue = invoices.some(({ status }) => status === 'past_due')
  const { state, label } = stateOf(isActive, isDue)
  return (
    <Panel title="Payment">
      <p>{limits.takes_payments ? state : 'This service takes no payments: jobs run on the free credits only.'}</p>
      <Failure error={open.error} />
      {limits.takes_payments && (
        <div>
          <Button look={isActive && !isDue ? 'secondary' : 'primary'} onClick={() => open.run()} isBusy={open.isBusy}>
            {label}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function stateOf(isActive: boolean, isDue: boolean): { readonly state: string; readonly label: string } {
  if (isDue) return { state: 'A payment failed. Pay the invoice, or change the card.', label: 'Pay the invoice' }
  return isActive
    ? { state: 'Billing is active. Your card and invoices are with the payment provider.', label: 'Card and invoices' }
    : { state: 'Billing is not active: jobs run on the free credits only.', label: 'Activate billing' }
}
