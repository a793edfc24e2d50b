// Long work lets the event loop turn now and then, so that it does not hold up other work of the process.

/** Counts work, and returns true each time that `workPerTurn` is done: the event loop is due to turn. */
export function workCounter(workPerTurn: number): (work: number) => boolean {
  let done = 0
  return (work) => {
    done += work
    const isDue = done >= workPerTurn
    if (isDue) done = 0
    return isDue
  }
}

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
