import { Progress } from 'radix-ui'
import type { Limits } from '../../api/queries.ts'
import { monthInWords } from '../../components/months.ts'
import { Panel } from '../../components/panel.tsx'
import { Price } from '../../components/price.tsx'

/** What this month costs so far, and what is left. */
export function Spending({ limits }: { readonly limits: Limits }) {
  const { month, monthly_cap_usd: cap, spent_usd, held_usd, credits_left_usd } = limits
  const used = spent_usd + held_usd
  const facts = [
    ['Spent', spent_usd],
    ['Held for running jobs', held_usd],
    ['Free credits left', credits_left_usd],
    ['Monthly cap', cap],
  ] as const
  return (
    <Panel title={`${monthInWords(month)}, in UTC`}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {facts.map(([name, amount]) => (
          <div key={name}>
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="text-lg font-semibold">{amount === null ? 'None' : <Price amount={amount} />}</dd>
          </div>
        ))}
      </dl>
      {cap !== null && cap > 0 && (
        <Progress.Root
          value={Math.min(100, (used / cap) * 100)}
          aria-label="Share of the monthly cap that is spent or held"
          className="h-3 overflow-hidden rounded-full bg-raised"
        >
          <Progress.Indicator className="h-full bg-accent" style={{ width: `${Math.min(100, (used / cap) * 100)}%` }} />
        </Progress.Root>
      )}
    </Panel>
  )
}
