/** Calls `load` at most once per period. Until it is over, every caller gets the result or the error of the last call. */
export function cacheFor<T>(milliseconds: number, load: () => Promise<T>): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; readonly since: number } | undefined
  return () => {
    if (!latest || Date.now() - latest.since > milliseconds) latest = { answer: load(), since: Date.now() }
    return latest.answer
  }
}
