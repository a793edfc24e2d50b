import { ApiError, api, resultOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAction } from '../../components/use-action.ts'

/** The way to the provider's pages, where cards and invoices are. */
export function BillingLink({ isActive }: { readonly isActive: boolean }) {
  const open = useAction(async () => {
    const { billing_link } = await resultOf(api.POST('/v1/account/billing-link'))
    location.assign(billing_link.url)
  })
  const takesMoney = !(open.error instanceof ApiError && open.error.code === 'endpoint_unavailable')
  return (
    <Panel title="Payment">
      <p>
        {isActive
          ? 'Billing is active. Your card and your invoices are on the pages of the payment provider.'
          : 'Billing is not active: jobs run on the free credits only.'}
      </p>
      <Failure error={open.error} />
      {takesMoney && (
        <div>
          <Button look={isActive ? 'secondary' : 'primary'} onClick={() => open.run()} isBusy={open.isBusy}>
            {isActive ? 'Card and invoices' : 'Activate billing'}
          </Button>
        </div>
      )}
    </Panel>
  )
}
