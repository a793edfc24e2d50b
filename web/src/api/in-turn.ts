/** What pages ask counts against the limit of the account's keys. */
const restMs = 2_000

/** Reads at once, then at most every two seconds, and once more after the last call. */
export function inTurn(read: () => Promise<unknown>): () => void {
  let isReading = false
  let isWanted = false
  const start = async () => {
    isReading = true
    while (isWanted) {
      isWanted = false
      await Promise.all([read(), new Promise((resolve) => setTimeout(resolve, restMs))])
    }
    isReading = false
  }
  return () => {
    isWanted = true
    if (!isReading) void start()
  }
}
