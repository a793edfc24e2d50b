/** How long a client may pause. */
const pauseMs = 30_000
/** A player stops reading while it is paused; after a longer pause, it requests the rest of the file. */
const playerPauseMs = 300_000
/** The pause ends when this many bytes were taken, so that a client cannot hold a connection with a few at a time. */
const progressBytes = 256 * 1024
/** Node writes a text as a whole, and counts none of it as taken before the end: meanwhile this is taken for its rate. */
const textBytesPerSecond = 32 * 1024
/** A client may be slow for half an hour. Then it has a minimum rate, on average, which grows by as much every hour: 1 GiB takes nine hours at most. */
const graceMs = 1_800_000
/** Of sound for which 32 kbit/s are enough. */
const minBytesPerSecond = 4 * 1024
const growthMs = 3_600_000

/** What the client of a connection has taken of its bytes so far, and what waits for it. */
export interface ReadProgress {
  readonly takenBytes: number
  readonly unreadBytes: number
}

export type ReadingPace = ReturnType<typeof createReadingPace>

/** Follows how fast the client of a connection reads. */
export function createReadingPace() {
  let maxPauseMs = pauseMs
  /** Since the last progress, and since nothing was unread. */
  let [pausedMs, pausedAtBytes, slowMs, slowFromBytes] = [0, 0, 0, 0]
  return {
    beginRequest: () => {
      maxPauseMs = pauseMs
    },
    /** For the response to this request: a player may read it. */
    allowPlayerPauses: () => {
      maxPauseMs = playerPauseMs
    },
    /**
     * Whether the client reads too slowly, `passedMs` after the last call. One without unread bytes does not: it waits for the response,
     * as in a long poll, or has read it.
     */
    isTooSlow: ({ takenBytes, unreadBytes }: ReadProgress, passedMs: number): boolean => {
      if (unreadBytes === 0) [slowMs, slowFromBytes] = [0, takenBytes]
      if (unreadBytes === 0 || takenBytes - pausedAtBytes >= progressBytes) [pausedMs, pausedAtBytes] = [0, takenBytes]
      else pausedMs += passedMs
      if (unreadBytes === 0) return false
      slowMs += passedMs
      const textMs = (unreadBytes * 1000) / textBytesPerSecond
      const timedMs = slowMs - graceMs - textMs
      const minRate = minBytesPerSecond * (1 + timedMs / growthMs)
      const isBehind = timedMs > 0 && ((takenBytes - slowFromBytes) * 1000) / timedMs < minRate
      return pausedMs > maxPauseMs + textMs || isBehind
    },
  }
}
