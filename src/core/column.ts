/** A list of numbers that grows: eight bytes each, and outside of the heap, which all jobs of a process share. */
export interface Column {
  push(value: number): void
  /** A copy of the list. */
  values(): Float64Array
}

export function createColumn(): Column {
  let list = new Float64Array(1024)
  let length = 0
  return {
    push: (value) => {
      if (length === list.length) {
        const longer = new Float64Array(2 * length)
        longer.set(list)
        list = longer
      }
      list[length] = value
      length += 1
    },
    values: () => list.slice(0, length),
  }
}
