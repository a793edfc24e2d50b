import { totalmem } from 'node:os'
import { waitFor } from './abortable.ts'

/** The memory that the tools and models of a worker may take together. Each process counts with its limit while it runs. */
export interface MemoryBudget {
  /**
   * Runs a tool when its memory is free, in the order of the calls. Rejects with the signal's reason if that aborts before the
   * tool starts.
   */
  use<T>(need: MemoryNeed, signal: AbortSignal, run: () => Promise<T>): Promise<T>
}

export interface MemoryNeed {
  readonly bytes: number
  /** Whether its input is still being downloaded. Such tools use at most half of the budget, so that others never wait for slow servers. */
  readonly isRemote: boolean
  /**
   * For a process that a running tool waits for, such as the one that takes its output: waiting for that tool's memory would never
   * end. It is counted.
   */
  readonly startsImmediately: boolean
}

const gibibyte = 1024 ** 3
/** For the worker itself, which takes up to 600 MB. */
const workerBytes = gibibyte

/** The memory of the container, or of the machine, without what the worker itself takes. */
export function defaultToolMemoryBytes(): number {
  // Huge or 0 without a limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const memory = Math.min(limit, totalmem())
  return Math.floor(Math.max(memory - workerBytes, memory / 2))
}

export function createMemoryBudget(totalBytes: number): MemoryBudget {
  const half = totalBytes / 2
  const used = { all: 0, remote: 0 }
  const waiting: (MemoryNeed & { readonly admit: () => void })[] = []

  const take = ({ bytes, isRemote }: MemoryNeed) => {
    used.all += bytes
    if (isRemote) used.remote += bytes
  }
  const admitNext = () => {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at]
      if (!next || used.all + next.bytes > totalBytes) return
      if (next.isRemote && used.remote + next.bytes > half) {
        at += 1
        continue
      }
      waiting.splice(at, 1)
      take(next)
      next.admit()
    }
  }
  const admission = (need: MemoryNeed, signal: AbortSignal) =>
    waitFor(signal, (admit) => {
      const entry = { ...need, admit }
      waiting.push(entry)
      admitNext()
      return () => {
        waiting.splice(waiting.indexOf(entry), 1)
        admitNext()
      }
    })
  return {
    async use(asked, signal, run) {
      signal.throwIfAborted()
      // A tool with more than half could start only after all slow servers have sent everything.
      const need = { ...asked, bytes: Math.min(asked.bytes, half) }
      if (need.startsImmediately) take(need)
      else await admission(need, signal)
      try {
        return await run()
      } finally {
        used.all -= need.bytes
        if (need.isRemote) used.remote -= need.bytes
        admitNext()
      }
    },
  }
}

/** For tools that nothing else on the machine competes with. */
export const unlimitedMemory: MemoryBudget = createMemoryBudget(Number.POSITIVE_INFINITY)
