/** A table of measures with their goals. */
export function resultRows(
  rows: readonly (readonly [what: string, measured: string, goal: string, isReached: boolean])[],
): string {
  const lines = rows.map(
    ([what, measured, goal, isReached]) => `| ${what} | ${measured} | ${goal} | ${isReached ? 'yes' : 'no'} |`,
  )
  return ['| | measured | goal | reached |', '|---|---|---|---|', ...lines].join('\n')
}
