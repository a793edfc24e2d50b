import { addAbortSignal, Readable } from 'node:stream'
import type { ReadOptions } from '../storage.ts'
import { GcsError, onGcs, within } from './failures.ts'
import type { GcsBucket } from './open-bucket.ts'
import { type Download, openDownload } from './open-download.ts'
import { retrying } from './request.ts'

/**
 * The object's bytes. A download that breaks or stalls continues where it was, in the same generation. Downloads of the client
 * library would wait forever (nodejs-storage #24), and closing one of them cuts the connections of all.
 */
export async function readObject(gcs: GcsBucket, key: string, options: ReadOptions): Promise<Readable> {
  const { start = 0, end, signal } = options
  const { limits } = gcs
  const closing = new AbortController()
  const closed = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal

  const first = await onGcs(
    () => retrying(limits, closed, () => openDownload(gcs, key, { ...options, start, signal: closed })),
    signal,
  )
  let download: Download | undefined = first
  let at = start

  const next = () =>
    retrying(limits, closed, async () => {
      if (end !== undefined && at > end) return undefined
      download ??= await openDownload(gcs, key, { start: at, end, generation: first.generation, signal: closed })
      try {
        const bytes = await within(limits.transferTimeoutMs, download.next())
        at += bytes?.length ?? 0
        return bytes
      } catch (error) {
        download.close()
        download = undefined
        throw new GcsError(`reading ${key} broke off: ${String(error)}`, { isPassing: true })
      }
    })

  const stream = new Readable({
    read() {
      onGcs(next, signal).then(
        (bytes) => stream.push(bytes ?? null),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    },
    destroy(error, done) {
      closing.abort()
      done(error)
    },
  })
  return signal ? addAbortSignal(signal, stream) : stream
}
