import { quotedList } from '../../core/text.ts'

/** What a search did not find, and what to change. */
export function describeNoMatch(queries: readonly string[]): string {
  const searched = quotedList(queries, { maxListed: 5, maxLength: 60 })
  return `Nothing that is said matches ${searched}. Send other queries, or "match": "stem" or "fuzzy".`
}

/** Warns of the queries without a match, if others have one. */
export function warnOfNoMatch(queries: readonly string[], matches: readonly { readonly query: string }[]): string[] {
  const found = new Set(matches.map(({ query }) => query))
  const missing = queries.filter((query) => !found.has(query))
  return found.size > 0 && missing.length > 0 ? [describeNoMatch(missing)] : []
}
