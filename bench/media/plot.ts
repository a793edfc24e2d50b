import { type Figure, isReached, show } from './figures.ts'

const rowHeight = 30
const width = 860
const nameWidth = 380
const barWidth = 300

/** Draws a bar for each figure, as long as its share of the goal, and a line at the goal. */
export function plotFigures(figures: readonly Figure[]): string {
  const height = figures.length * rowHeight + 40
  const shares = figures.map(({ value, goal, isFloor }) => (isFloor ? goal / value : value / goal))
  const scale = barWidth / Math.max(1.2, ...shares)
  const rows = figures.map((figure, index) => {
    const y = index * rowHeight + 12
    const length = Math.max(2, (shares[index] ?? 0) * scale)
    return [
      `<text x="${nameWidth - 10}" y="${y + 15}" text-anchor="end">${figure.name}</text>`,
      `<rect class="${isReached(figure) ? 'in' : 'over'}" x="${nameWidth}" y="${y}" width="${length.toFixed(1)}" height="20" rx="3"/>`,
      `<text class="value" x="${nameWidth + barWidth + 14}" y="${y + 15}">${show(figure.value)} ${figure.unit}</text>`,
    ].join('')
  })
  const goalX = nameWidth + scale
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui,sans-serif" font-size="13">`,
    '<title>What was measured, beside its goals</title>',
    '<style>text{fill:#334155}.value{font-weight:600}.in{fill:#3b82f6}.over{fill:#f59e0b}.goal{stroke:#0f172a;stroke-dasharray:4 4}',
    '@media(prefers-color-scheme:dark){text{fill:#cbd5e1}.goal{stroke:#e2e8f0}}</style>',
    ...rows,
    `<path class="goal" d="M${goalX.toFixed(1)} 4V${height - 26}"/>`,
    `<text x="${goalX.toFixed(1)}" y="${height - 10}" text-anchor="middle">goal: shorter is better</text></svg>`,
  ].join('')
}
