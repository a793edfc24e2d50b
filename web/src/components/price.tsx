import { cents, usd } from './format.ts'

interface PriceProps {
  readonly amount: number
  /** What it is rounded to in a list with a total. */
  readonly shown?: number | undefined
}

/** An amount in cents, with every digit for those who point at it. */
export function Price({ amount, shown }: PriceProps) {
  return (
    <data value={amount} title={usd(amount)} className="tabular-nums">
      {cents(amount, shown)}
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
