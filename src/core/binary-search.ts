/** Index of the first item that is not below what is looked for; the length if all are. `isBelow` holds for a prefix. */
export function lowerBound<Item>(items: readonly Item[], isBelow: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && isBelow(item)) low = middle + 1
    else high = middle
  }
  return low
}
