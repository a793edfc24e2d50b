/** A problem found by a schema, for the caller: `settings.threshold: expected number to be <=1`. */
export function describeProblem(field: string, message = 'not valid'): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? []
  if (!expected) return `${field}: ${lowerFirst(message.replace(/^Too (?:small|big): /, ''))}`
  if (received === 'undefined') return `${field} is required`
  return `${field}: expected ${expected}${received === 'NaN' ? '' : `, not ${received}`}`
}

/** One sentence with at most five of the problems, without repetitions. */
export function describeProblems(problems: readonly string[]): string {
  return `${[...new Set(problems)].slice(0, 5).join('; ')}.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
