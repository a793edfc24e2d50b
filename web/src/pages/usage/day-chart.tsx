import { cents, usd } from '../../components/format.ts'

interface Props {
  readonly days: readonly string[]
  readonly amounts: ReadonlyMap<string, number>
}

const height = 160
const barWidth = 20
const gap = 4

/** One bar a day. The table below it has the same amounts as text. */
export function DayChart({ days, amounts }: Props) {
  const max = Math.max(0, ...amounts.values())
  return (
    <figure className="flex flex-col gap-2 rounded-[10px] border border-line bg-surface p-5">
      <figcaption className="text-sm text-quiet">Cost of each day, up to {cents(max)}</figcaption>
      <svg
        viewBox={`0 0 ${days.length * (barWidth + gap)} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Cost of each day, which the table lists"
        className="h-40 w-full"
      >
        {days.map((day, index) => {
          const amount = amounts.get(day) ?? 0
          const barHeight = amount === 0 ? 1 : Math.max(3, (amount / max) * height)
          return (
            <rect
              key={day}
              x={index * (barWidth + gap)}
              y={height - barHeight}
              width={barWidth}
              height={barHeight}
              className={amount === 0 ? 'fill-line' : 'fill-accent'}
            >
              <title>{`${day}: ${usd(amount)}`}</title>
            </rect>
          )
        })}
      </svg>
      {/* Outside the picture, whose text would shrink with it on a phone. */}
      <p aria-hidden="true" className="flex justify-between text-xs text-quiet">
        <span>1</span>
        <span>{days.length}</span>
      </p>
    </figure>
  )
}
