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
            <ul className="flex flex-col">
              {invoices.map(({ id, month, status, amount_usd }) => (
                <li
                  key={id}
                  className="grid grid-cols-[1fr_auto] gap-x-6 border-line py-3 not-first:border-t sm:grid-cols-[10rem_1fr_auto]"
                >
                  <span className="font-medium">{monthInWords(month)}</span>
                  <span className="text-quiet max-sm:col-span-2 max-sm:row-start-2">{inWords[status]}</span>
                  <span className="text-right tabular-nums">{usd(amount_usd)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
