import type { Http, Query } from './http.ts'

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | undefined
}

/** A list: `for await` reads all of it, page by page, and `await` reads its first page. */
export interface List<T> extends AsyncIterable<T>, PromiseLike<Page<T>> {}

interface ListCall {
  readonly path: string
  readonly query: Query
  readonly signal?: AbortSignal | undefined
}

export function list<T>(http: Http, name: string, { path, query, signal }: ListCall): List<T> {
  const read = async (cursor?: string): Promise<Page<T>> => {
    const answer = await http.json<Record<string, T[]> & { next_cursor?: string }>({
      ...{ method: 'GET', path, query: { ...query, cursor } },
      ...(signal && { signal }),
    })
    return { items: answer[name] ?? [], nextCursor: answer.next_cursor }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: the first page is what a list is without a loop
    then: (resolve, reject) => read().then(resolve, reject),
    async *[Symbol.asyncIterator]() {
      for (let page = await read(); ; page = await read(page.nextCursor)) {
        yield* page.items
        if (page.nextCursor === undefined) return
      }
    },
  }
}
