// Long work lets the event loop turn now and then, so that it does not hold up other work of the process.

let turn: Promise<void> | undefined

/** Resolves when the event loop has turned. All that wait for the same turn continue together. */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}

/** Returns a function that resolves for one caller a turn, in the order of the calls: none of them continue together. */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(nextTurn)
    return last
  }
}
/** Work of more milliseconds waits for the next turn. */
const maxWorkMs = 2

export interface Turns {
  isDue(): boolean
  next(): Promise<void>
}

/** For a long loop: `if (turns.isDue()) await turns.next()`. */
export function startTurns(): Turns {
  let began = performance.now()
  return {
    isDue: () => performance.now() - began >= maxWorkMs,
    next: async () => {
      await nextTurn()
      began = performance.now()
    },
  }
}

/** All that a long pass yields, such as a generator that works between two of them. */
export async function collectInTurns<Item>(pass: Iterable<Item>): Promise<Item[]> {
  const turns = startTurns()
  const items: Item[] = []
  for (const item of pass) {
    items.push(item)
    if (turns.isDue()) await turns.next()
  }
  return items
}

/** A short text takes several times its length of memory, so this many are joined before more are collected. */
const partsPerJoin = 1_000

/** The text of a long pass. It is in memory up to twice. */
export async function joinInTurns(parts: Iterable<string>): Promise<string> {
  const turns = startTurns()
  const joined: string[] = []
  let waiting: string[] = []
  for (const part of parts) {
    waiting.push(part)
    if (waiting.length === partsPerJoin) {
      joined.push(waiting.join(''))
      waiting = []
    }
    if (turns.isDue()) await turns.next()
  }
  return [...joined, ...waiting].join('')
}

export function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Promise<Mapped[]> {
  return collectInTurns(mapped(items, map))
}

function* mapped<Item, Mapped>(items: readonly Item[], map: (item: Item, index: number) => Mapped) {
  for (const [index, item] of items.entries()) yield map(item, index)
}
