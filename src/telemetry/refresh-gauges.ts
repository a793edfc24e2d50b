import { withTimeout } from '../core/abortable.ts'

const boundMilliseconds = 1_000

/**
 * Fills gauges before a scrape, with the rows that `read` finds, at most once in `cachedMilliseconds`. A scrape waits a second for
 * them, then leaves the gauges out.
 */
export function gaugeRefresher<Row>(
  read: () => Promise<readonly Row[]>,
  show: (rows: readonly Row[]) => void,
  cachedMilliseconds: number,
): () => Promise<void> {
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    show(await read().catch(() => []))
    readAt = performance.now()
    reading = undefined
  }
  return async () => {
    if (performance.now() - readAt < cachedMilliseconds) return
    reading ??= refresh()
    await withTimeout(reading, boundMilliseconds, () => new Error('no answer in time')).catch(() => show([]))
  }
}
