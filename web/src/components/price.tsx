import { cents, usd } from './format.ts'

/** An amount in cents, with every digit for those who point at it. */
export function Price({ amount }: { readonly amount: number }) {
  return (
    <data value={amount} title={usd(amount)} className="tabular-nums">
      {cents(amount)}
    </data>
  )
}
