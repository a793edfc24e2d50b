import { totalmem } from 'node:os'
import { waitFor } from './abortable.ts'
import { createCounts } from './counts.ts'

/** The memory that the tools and models of a worker may take together. Each process counts with its limit while it runs. */
export interface MemoryBudget {
  /**
   * Runs a tool when its memory is free, in the order of the calls. Small tools on media that is here have some of it for
   * themselves, for which they do not wait behind others. Rejects with the signal's reason if that aborts before the
   * tool starts.
   */
  use<T>(need: MemoryNeed, signal: AbortSignal, run: () => Promise<T>): Promise<T>
}

export interface MemoryNeed {
  readonly bytes: number
  /** Whether its input is still being downloaded. Such tools use at most half of the budget, so that others never wait for slow servers. */
  readonly isRemote: boolean
  /** Who decides how long that download takes, and has a share of this half: its account and its host. Empty if no server is slow. */
  readonly claimKeys: readonly string[]
  /**
   * For a process that a running tool waits for, such as the one that takes its output: waiting for that tool's memory would never
   * end. It is counted.
   */
  readonly startsImmediately: boolean
}

const gibibyte = 1024 ** 3
/** For the worker itself, which takes up to 600 MB. */
const workerBytes = gibibyte

/** For a tool that reads packets or decodes sound. Measured on ffmpeg 9.0: both take 42 MB, and the index of an MP4 with a day of sound takes 290 MB more. */
export const smallToolBytes = 384 * 1024 ** 2

/** The memory of the container, or of the machine, without what the worker itself takes. */
export function defaultToolMemoryBytes(): number {
  // Huge or 0 without a limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const memory = Math.min(limit, totalmem())
  return Math.floor(Math.max(memory - workerBytes, memory / 2))
}

/**
 * The part for one account, and for one source host, of what tools that wait for servers may use: a slow server holds such a tool for up to an
 * hour. It counts once half is used: a quarter is one tool on a worker of 4 GiB, and an account alone would wait beside idle memory.
 */
const shareOfKey = 1 / 4
const sharedFrom = 1 / 2

interface Counted extends Pick<MemoryNeed, 'bytes' | 'isRemote' | 'claimKeys'> {
  /** Small tools that no server delays have some of the memory for themselves. */
  readonly kind: 'small' | 'other'
}

export function createMemoryBudget(totalBytes: number): MemoryBudget {
  const half = totalBytes / 2
  // Otherwise a few large renders would delay every small tool of every account for as long as they take.
  const reservedBytes = Math.min(smallToolBytes, half)
  const used = { small: 0, other: 0, remote: 0 }
  const usedByKey = createCounts()
  const waiting = new Set<Counted & { readonly admit: () => void }>()

  const count = ({ kind, bytes, isRemote, claimKeys }: Counted, sign: 1 | -1) => {
    used[kind] += sign * bytes
    if (isRemote) used.remote += sign * bytes
    for (const key of claimKeys) (sign > 0 ? usedByKey.add : usedByKey.remove)(key, bytes)
  }
  const fits = ({ kind, bytes }: Counted) =>
    used.small + used.other + bytes <= totalBytes &&
    (kind === 'small' || used.other + bytes <= totalBytes - reservedBytes)
  const isWithinShares = ({ bytes, claimKeys }: Counted) =>
    used.remote + bytes <= half * sharedFrom ||
    claimKeys.map(usedByKey.of).every((ofKey) => ofKey === 0 || ofKey + bytes <= half * shareOfKey)
  const waitsForServers = (need: Counted) => need.isRemote && (used.remote + need.bytes > half || !isWithinShares(need))
  const mayOvertake = ({ kind, bytes }: Counted) => kind === 'small' && used.small + bytes <= reservedBytes
  const admitNext = () => {
    let isOtherAhead = false
    for (const next of waiting) {
      if (waitsForServers(next)) continue
      if (fits(next) && (!isOtherAhead || mayOvertake(next))) {
        waiting.delete(next)
        count(next, 1)
        next.admit()
      } else if (next.kind === 'other') isOtherAhead = true
      else return
    }
  }
  const admission = (need: Counted, signal: AbortSignal) =>
    waitFor(signal, (admit) => {
      const entry = { ...need, admit }
      waiting.add(entry)
      admitNext()
      return () => {
        waiting.delete(entry)
        admitNext()
      }
    })
  return {
    async use({ bytes, isRemote, claimKeys, startsImmediately }, signal, run) {
      signal.throwIfAborted()
      // A tool with more than half could start only after all slow servers have sent everything.
      const need = {
        kind: bytes > smallToolBytes || isRemote ? 'other' : 'small',
        bytes: Math.min(bytes, half),
        isRemote,
        claimKeys,
      } as const
      if (startsImmediately) count(need, 1)
      else await admission(need, signal)
      try {
        return await run()
      } finally {
        count(need, -1)
        admitNext()
      }
    },
  }
}

/** For tools that nothing else on the machine competes with. */
export const unlimitedMemory: MemoryBudget = createMemoryBudget(Number.POSITIVE_INFINITY)
