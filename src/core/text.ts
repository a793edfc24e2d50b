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

/** Whether PostgreSQL can store every text of a JSON document: it accepts no NUL and no half of a surrogate pair. */
export function isPostgresText(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json)
}

export const notPostgresText = 'a text contains a NUL character, or half of a surrogate pair. Remove it.'

/** Escapes text for the content and the quoted attributes of HTML and SVG. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
