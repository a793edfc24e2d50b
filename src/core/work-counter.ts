/**
 * Counts work, and returns true each time that `workPerTurn` is done. Long work then waits for a turn of the event loop, so that it
 * does not hold up other work.
 */
export function workCounter(workPerTurn: number): (work: number) => boolean {
  let done = 0
  return (work) => {
    done += work
    const isDue = done >= workPerTurn
    if (isDue) done = 0
    return isDue
  }
}
