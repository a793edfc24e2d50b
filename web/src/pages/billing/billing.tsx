import { useQuery } from '@tanstack/react-query'
import { limitsQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Invoices } from './invoices.tsx'
import { Payment } from './payment.tsx'
import { Spending } from './spending.tsx'
import { SpendingLimits } from './spending-limits.tsx'

export function BillingPage() {
  return (
    <Page title="Billing" lead="Completed jobs cost what they used. Free credits are spent first.">
      <Loaded query={useQuery(limitsQuery)}>
        {(limits) => (
          <div className="flex flex-col gap-6">
            <Spending limits={limits} />
            <SpendingLimits limits={limits} />
            <Payment limits={limits} />
            {limits.takes_payments && <Invoices />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}
