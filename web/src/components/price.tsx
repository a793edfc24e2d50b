import { cents, usd } from './format.ts'

/** An amount in cents, with every digit for those who point at it. */
export function Price({ amount }: { readonly amount: number }) {
  return (
    <data value={amount} title={usd(amount)} className="tabular-nums">
      {cents(amount)}
    </data>
  )
}

/** What a button costs, behind its name. Nothing until the price is known; fainter while it is an old one. */
export function ButtonPrice({
  amount,
  isOld = false,
}: {
  readonly amount: number | undefined
  readonly isOld?: boolean
}) {
  if (amount === undefined) return null
  return (
    <span className={`-ml-1 ${isOld ? 'opacity-85' : ''}`}>
      · <Price amount={amount} />
    </span>
  )
}
