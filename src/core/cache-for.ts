/** Asks again only when the last asking is older than this; until then everybody gets its answer, or its error. */
export function cacheFor<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; readonly since: number } | undefined
  return () => {
    if (!latest || Date.now() - latest.since > milliseconds) latest = { answer: ask(), since: Date.now() }
    return latest.answer
  }
}
