/** How many of each key are open, or how much of something each has. A key without any takes no memory. */
export function createCounts() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    keys: () => counts.keys(),
    add: (key: string, amount = 1): void => void counts.set(key, of(key) + amount),
    remove: (key: string, amount = 1): void => {
      const left = of(key) - amount
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
  }
}
