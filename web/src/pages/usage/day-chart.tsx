import { usd } from '../../components/format.ts'

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
  const width = days.length * (barWidth + gap)
  return (
    <figure className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-5">
      <figcaption className="text-sm text-quiet">
        {max === 0 ? 'No costs in this month' : `Cost of each day, up to ${usd(max)}`}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height + 20}`}
        role="img"
        aria-label="Cost of each day, which the table lists"
        className="w-full"
      >
        {days.map((day, index) => {
          const amount = amounts.get(day) ?? 0
          const barHeight = amount === 0 ? 1 : Math.max(3, (amount / max) * height)
          const x = index * (barWidth + gap)
          return (
            <g key={day}>
              <title>{`${day}: ${usd(amount)}`}</title>
              <rect
                x={x}
                y={height - barHeight}
                width={barWidth}
                height={barHeight}
                rx={2}
                className={amount === 0 ? 'fill-line' : 'fill-accent'}
              />
              {index % 7 === 0 && (
                <text x={x + barWidth / 2} y={height + 16} textAnchor="middle" className="fill-quiet text-xs">
                  {Number(day.slice(-2))}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}
