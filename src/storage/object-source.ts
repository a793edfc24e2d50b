import { open } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'

/** The bytes of an object. Who reads a generator is done with a chunk when it asks for the next one, which may be in the same memory. */
export type ObjectSource = Readable | AsyncGenerator<Uint8Array, void, undefined>

const chunkBytes = 2 ** 20

/**
 * The bytes of a file, read into one buffer again and again. A stream allocates a buffer for each chunk, and Node collects its whole
 * garbage for every few of them: for a large file that takes as long as the copying.
 */
export async function* fileChunks(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.allocUnsafeSlow(chunkBytes)
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** Does the work that reads the source, then closes it. The signal ends a stream; a generator has a signal of its own. */
export async function withSource<T>(
  source: ObjectSource,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (source instanceof Readable) {
    // The source may fail before it is read; the loop that reads it later throws that error.
    source.once('error', () => {})
    if (signal) addAbortSignal(signal, source)
  }
  try {
    return await work()
  } finally {
    if (source instanceof Readable) source.destroy()
    else await source.return()
  }
}
