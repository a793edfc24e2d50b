import { startTurns, type Turns } from './turns.ts'

/** How many numbers are made or sorted before the clock is read again. */
const blockLength = 65_536

/** A list of millions of numbers, which `Float64Array.from` would make in one turn. */
export async function makeNumbers(length: number, valueAt: (index: number) => number): Promise<Float64Array> {
  const turns = startTurns()
  const numbers = new Float64Array(length)
  for (let index = 0; index < length; index++) {
    numbers[index] = valueAt(index)
    if (index % blockLength === 0 && turns.isDue()) await turns.next()
  }
  return numbers
}

/** Sorts millions of numbers: blocks of them, which it then merges to ever longer ones. The given list is used up. */
export async function sortNumbers(numbers: Float64Array): Promise<Float64Array> {
  const turns = startTurns()
  const { length } = numbers
  for (let from = 0; from < length; from += blockLength) {
    numbers.subarray(from, from + blockLength).sort()
    if (turns.isDue()) await turns.next()
  }
  let sorted: Float64Array = numbers
  let merged: Float64Array = new Float64Array(length > blockLength ? length : 0)
  for (let run = blockLength; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const bounds = { from, middle: Math.min(from + run, length), end: Math.min(from + 2 * run, length) }
      await mergeRuns(sorted, merged, bounds, turns)
    }
    const before = sorted
    sorted = merged
    merged = before
  }
  return sorted
}

/** Merges two runs that follow each other into the same places of another list. */
async function mergeRuns(
  numbers: Float64Array,
  merged: Float64Array,
  { from, middle, end }: { readonly from: number; readonly middle: number; readonly end: number },
  turns: Turns,
): Promise<void> {
  let [left, right] = [from, middle]
  for (let at = from; at < end; at++) {
    const [one, other] = [numbers[left] ?? 0, numbers[right] ?? 0]
    const isRight = left === middle || (right < end && other < one)
    merged[at] = isRight ? other : one
    if (isRight) right += 1
    else left += 1
    if (at % blockLength === 0 && turns.isDue()) await turns.next()
  }
}

/** Of an even number of values, the upper one of the two in the middle. Undefined without any. */
export function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

/** Index of the first item that is not below the target, or the length. `isBelow` must hold for a prefix of the items. */
export function lowerBound<Item>(items: ArrayLike<Item>, isBelow: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && isBelow(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** A list of numbers that grows: eight bytes each, and outside of the heap, which all jobs of a process share. */
interface Column {
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

export function concatenate(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The same bytes at an address that arrays of samples of this size can begin at: a copy unless theirs is one. */
export function alignedTo(bytes: Buffer, bytesPerSample: number): Uint8Array {
  return bytes.byteOffset % bytesPerSample === 0 ? bytes : new Uint8Array(bytes)
}
