import { addingUp, wholeNumber } from '../../components/format.ts'
import { Price } from '../../components/price.tsx'

export interface UsageRow {
  /** The day, the endpoint or the key. */
  readonly of: string
  /** Two keys can have one name. */
  readonly key: string
  readonly jobs_completed: number
  readonly jobs_failed: number
  readonly billed_seconds: number
  readonly amount_usd: number
}

export function UsageTable({ by, rows }: { readonly by: string; readonly rows: readonly UsageRow[] }) {
  if (rows.length === 0) return <p className="text-quiet">No job ended in this month. Choose another month above.</p>
  const shown = addingUp(rows.map(({ amount_usd }) => amount_usd))
  return (
    <table className="w-full border-collapse text-left text-sm tabular-nums">
      <caption className="sr-only">Usage by {by.toLowerCase()}</caption>
      <thead>
        <tr className="border-b border-edge">
          {[by, 'Jobs', 'Failed', 'Minutes', 'Cost'].map((name, index) => (
            <th key={name} scope="col" className={`py-2 pr-3 font-semibold last:pr-0 ${index > 0 ? 'text-right' : ''}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ of, key, jobs_completed, jobs_failed, billed_seconds, amount_usd }, index) => (
          <tr key={key} className="border-b border-line">
            <th scope="row" className="py-2 pr-3 font-normal wrap-anywhere">
              {of}
            </th>
            <td className="py-2 pr-3 text-right">{wholeNumber(jobs_completed)}</td>
            <td className="py-2 pr-3 text-right">{wholeNumber(jobs_failed)}</td>
            <td className="py-2 pr-3 text-right">{(billed_seconds / 60).toFixed(1)}</td>
            <td className="py-2 text-right">
              <Price amount={amount_usd} shown={shown[index]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
