/** A measured number and its goal, which is a maximum, or a minimum with `isFloor`. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly goal: number
  readonly unit: string
  /** Higher is better. Default: lower is better. */
  readonly isFloor?: true
  /** Why the goal is not reached, while it is not. */
  readonly shortfall?: string
}

export function isReached({ value, goal, isFloor }: Figure): boolean {
  return isFloor ? value >= goal : value <= goal
}

export function describeFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const goal = `${figure.isFloor ? '≥' : '≤'} ${show(figure.goal)}`
    return `| ${figure.name} | ${show(figure.value)} ${figure.unit} | ${goal} | ${isReached(figure) ? 'yes' : 'no'} |`
  })
  const shortfalls = figures.flatMap((figure) =>
    figure.shortfall === undefined || isReached(figure) ? [] : ['', `${figure.name}: ${figure.shortfall}`],
  )
  return ['| | measured | goal | reached |', '|---|---|---|---|', ...rows, ...shortfalls].join('\n')
}

export function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
}

export function asSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}
