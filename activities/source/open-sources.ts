import { createKeyedQueue } from '../../src/core/concurrency.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { type RangedSource, rangedSource } from '../../src/media/source/ranged-source.ts'
import { openSourceServer, type SourceServer } from '../../src/media/source/source-server.ts'

/** The ranged sources that this worker has open, each from one activity of its job to the next. */
export interface OpenSources {
  find(jobId: string): RangedSource | undefined
  /** Runs what opens a job's source in turn: several parts of the job may begin simultaneously. */
  inTurn<T>(jobId: string, open: () => Promise<T>): Promise<T>
  /** Prepares a slow source for another slot. Returns false if none is open, or if its bytes have no version. */
  resume(jobId: string): boolean
  /** Replaces the job's open source. `path` names the file for the parts that are read. */
  open(jobId: string, ranges: RangedBytes, path: string): Promise<RangedSource>
  close(jobId: string): Promise<void>
  /** Closes all. */
  end(): Promise<void>
}

export function createOpenSources(): OpenSources {
  // Started lazily: a worker that streams nothing opens no port.
  let server: Promise<SourceServer> | undefined
  const open = new Map<string, RangedSource>()
  const close = async (jobId: string) => {
    const source = open.get(jobId)
    open.delete(jobId)
    await source?.close()
  }
  return {
    find: (jobId) => {
      const source = open.get(jobId)
      return source?.failed.aborted ? undefined : source
    },
    inTurn: createKeyedQueue(),
    resume: (jobId) => {
      const source = open.get(jobId)
      if (!source || source.version === null) return false
      source.resume()
      return true
    },
    open: async (jobId, ranges, path) => {
      server ??= openSourceServer()
      const source = await rangedSource(ranges, path, await server)
      await close(jobId)
      open.set(jobId, source)
      return source
    },
    close,
    end: async () => {
      await Promise.all([...open.keys()].map(close))
      await (await server)?.close()
    },
  }
}
