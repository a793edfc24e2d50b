/** Rows with ids, or the ids alone. */
export type Identified = string | { readonly id: string }

export interface PagedWork<Row extends Identified> {
  /** A page of the rows that wait, oldest first, without those with the given ids. */
  readonly find: (except: readonly string[]) => Promise<readonly Row[]>
  /** Returns how many of the rows are done. */
  readonly work: (rows: readonly Row[]) => Promise<number>
  /** The size of a full page. */
  readonly pageSize: number
  /** No further page begins once this number of rows is done. */
  readonly maxDone?: number
}

/** The most rows that stay, before the rest is left to the next time: each may cost a failed call. */
const maxLeft = 2_000

/**
 * Works on waiting rows page by page, each once. Rows that stay, because they fail or cannot be done yet, do not keep newer ones
 * from their turn. Returns how many were found and done.
 */
export async function workThrough<Row extends Identified>({
  find,
  work,
  pageSize,
  maxDone = Number.POSITIVE_INFINITY,
}: PagedWork<Row>): Promise<{ readonly found: number; readonly done: number }> {
  const seen: string[] = []
  let done = 0
  while (done < maxDone && seen.length - done < maxLeft) {
    const page = await find(seen)
    seen.push(...page.map(rowId))
    done += await work(page)
    if (page.length < pageSize) break
  }
  return { found: seen.length, done }
}

export function rowId(row: Identified): string {
  return typeof row === 'string' ? row : row.id
}
