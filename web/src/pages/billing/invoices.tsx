import { useQuery } from '@tanstack/react-query'
import { invoicesQuery } from '../../api/queries.ts'
import { usd } from '../../components/format.ts'
import { Loaded } from '../../components/loaded.tsx'
import { monthInWords } from '../../components/months.ts'
import { Panel } from '../../components/panel.tsx'

const inWords = {
  preparing: 'Being prepared',
  open: 'Open',
  past_due: 'Past due: pay it on the pages of the payment provider',
  paid: 'Paid',
  void: 'Void',
}

export function Invoices() {
  return (
    <Panel title="Invoices">
      <Loaded query={useQuery(invoicesQuery)}>
        {(invoices) =>
          invoices.length === 0 ? (
            <p className="text-quiet">
              None yet. A month is invoiced after its end, if it cost more than the free credits.
            </p>
          ) : (
            <ul className="flex flex-col gap-3">
              {invoices.map(({ id, month, status, amount_usd }) => (
                <li key={id} className="flex flex-wrap justify-between gap-x-6 border-b border-line pb-3">
                  <span className="font-medium">{monthInWords(month)}</span>
                  <span>{inWords[status]}</span>
                  <span className="tabular-nums">{usd(amount_usd)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
