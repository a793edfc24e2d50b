/** What pages ask counts against the limit of the account's keys. */
const restMs = 2_000

/** The returned function reads at once. Calls while it reads or rests share one read, which follows the rest of two seconds. */
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
