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
