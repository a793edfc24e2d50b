/**
 * Runs tasks that need each other simultaneously. When one fails, the others are aborted; the first failure is thrown after all
 * of them have ended.
 */
export async function runAllOrAbort<Result>(
  signal: AbortSignal,
  tasks: readonly ((signal: AbortSignal) => Promise<Result>)[],
): Promise<Result[]> {
  return Promise.all(await endedTogether(signal, (either) => tasks.map((task) => task(either))))
}

/** `runAllOrAbort` for two tasks whose results have different types. */
export async function runBothOrAbort<First, Second>(
  signal: AbortSignal,
  first: (signal: AbortSignal) => Promise<First>,
  second: (signal: AbortSignal) => Promise<Second>,
): Promise<readonly [First, Second]> {
  return Promise.all(await endedTogether(signal, (either) => [first(either), second(either)] as const))
}

async function endedTogether<Running extends readonly Promise<unknown>[]>(
  signal: AbortSignal,
  start: (either: AbortSignal) => Running,
): Promise<Running> {
  const failure = new AbortController()
  const running = start(AbortSignal.any([signal, failure.signal]))
  for (const one of running) one.catch((error: unknown) => failure.abort(error))
  await Promise.allSettled(running)
  signal.throwIfAborted()
  if (failure.signal.aborted) throw failure.signal.reason
  return running
}

/** Maps the items to results, up to `concurrency` of them simultaneously, until the signal aborts; failures are those of `runAllOrAbort`. */
export async function mapOrAbort<Item, Result>(
  signal: AbortSignal,
  { items, concurrency }: { readonly items: readonly Item[]; readonly concurrency: number },
  work: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const workUp = async (either: AbortSignal) => {
    // All share this iterator: each takes the next item.
    for (const [index, item] of queue) {
      if (either.aborted) return
      results[index] = await work(item, index, either)
    }
  }
  await runAllOrAbort(
    signal,
    Array.from({ length: Math.min(concurrency, items.length) }, () => workUp),
  )
  return results
}

/**
 * Waits in a queue. `enter` takes a place, which ends when it calls its argument, and returns what gives the place up: that is called
 * if the signal aborts first. Rejects with the signal's reason.
 */
export async function waitFor(signal: AbortSignal, enter: (admit: () => void) => () => void): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      leave()
      reject(new Error('aborted', { cause: signal.reason }))
    }
    signal.addEventListener('abort', abort, { once: true })
    const leave = enter(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  }).catch(() => signal.throwIfAborted())
}

/** Settles like the promise, or rejects when the signal aborts. For work that accepts no signal. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Settles like the promise, or rejects with the error of `late` after `milliseconds`. For work that accepts no signal. */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
