import { rm } from 'node:fs/promises'
import { type FetchedMedia, fetchedMedia } from '../../src/media/source/fetched-media.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { openSourceServer, type SourceServer } from '../../src/media/source/source-server.ts'

interface RangedSource {
  readonly ranges: RangedBytes
  readonly version: string | null
}

interface OpenSource {
  readonly media: FetchedMedia
  readonly version: string | null
  /** The file that caches the parts that were read. */
  readonly path: string
}

/** The ranged sources that this worker has open, each from one activity of its job to the next. */
export interface OpenSources {
  find(jobId: string): OpenSource | undefined
  /** Prepares slow media for another slot. Returns false if none is open, or if its bytes have no version. */
  resume(jobId: string): boolean
  /** Replaces the job's open source. */
  open(jobId: string, source: RangedSource, path: string): Promise<OpenSource>
  close(jobId: string): Promise<void>
  /** Closes all. */
  end(): Promise<void>
}

export function createOpenSources(): OpenSources {
  // Started lazily: a worker that streams nothing opens no port.
  let server: Promise<SourceServer> | undefined
  const open = new Map<string, OpenSource>()
  const close = async (jobId: string) => {
    const source = open.get(jobId)
    if (!source) return
    open.delete(jobId)
    await source.media.close()
    await rm(source.path, { force: true })
  }
  return {
    find: (jobId) => {
      const source = open.get(jobId)
      return source?.media.failed.aborted ? undefined : source
    },
    resume: (jobId) => {
      const source = open.get(jobId)
      if (!source || source.version === null) return false
      source.media.resume()
      return true
    },
    open: async (jobId, { ranges, version }, path) => {
      server ??= openSourceServer()
      const source = { media: await fetchedMedia(ranges, path, await server), version, path }
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
