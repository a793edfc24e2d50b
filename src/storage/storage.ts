import { open } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'

export interface ObjectInfo {
  readonly key: string
  readonly bytes: number
  readonly contentType: string
  /** Changes with every write of the key: a read of a generation fails after the object was replaced. */
  readonly generation: string
  /** Strong validator of the bytes, without quotes. */
  readonly etag: string
}

export interface SignedUrl {
  readonly url: string
  readonly expiresAt: Date
}

export interface PresignPutInput {
  readonly key: string
  readonly contentType: string
  readonly maxBytes: number
  readonly expiresInSeconds: number
}

export interface PresignSessionInput extends PresignPutInput {
  /** From 1 on. What the sessions of an object send is never mixed. */
  readonly session?: number | undefined
  /** Of the page that will send the bytes, for storage that answers pages of the origin alone. */
  readonly origin?: string | undefined
}

export interface PresignGetInput {
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  readonly expiresInSeconds: number
  /** Whether browsers save the file instead of opening it. */
  readonly asAttachment?: boolean
}

/** The object that a URL names, and whether the URL is a valid URL of presignGet, as far as this storage can check. */
export interface NamedObject {
  readonly key: string
  readonly status: 'valid' | 'expired' | 'altered'
}

export interface ReadOptions {
  /** Fails with ObjectNotFoundError if another generation is stored. */
  readonly generation?: string
  /** First byte. */
  readonly start?: number
  /** Last byte, inclusive. */
  readonly end?: number
  readonly signal?: AbortSignal
}

/** Objects by key: `/`-separated names of `[a-zA-Z0-9._-]`. Every implementation passes test/storage/contract.ts. */
export interface Storage {
  /** A URL for one PUT: the first complete PUT wins, later ones fail with 409 or 412. */
  presignPut(input: PresignPutInput): Promise<SignedUrl & { readonly headers: Readonly<Record<string, string>> }>
  /** A URL for the `maxBytes` bytes of an object in several PUTs, by the protocol of sessions of Google Cloud Storage. */
  presignSession(input: PresignSessionInput): Promise<SignedUrl>
  /** Of storage whose sessions the API serves; others serve their own. */
  readonly parts?: ObjectParts
  /** A URL that serves the object with ranges, an ETag and the given type and name. */
  presignGet(input: PresignGetInput): Promise<SignedUrl>
  /** The object of a signed URL of this storage; undefined for other addresses. Does not check who owns the object. */
  objectOf(url: URL): NamedObject | undefined
  stat(key: string): Promise<ObjectInfo | undefined>
  /** The caller reads the stream to its end or destroys it. Throws ObjectNotFoundError. */
  read(key: string, options?: ReadOptions): Promise<Readable>
  /** Atomic: readers see the whole object or none. Replaces an existing key. Rethrows errors of the source unchanged. */
  write(key: string, source: ObjectSource, contentType: string, signal?: AbortSignal): Promise<ObjectInfo>
  /** Like write, but throws ObjectExistsError for an existing key. Of several simultaneous calls, one wins. */
  create(key: string, source: ObjectSource, contentType: string, signal?: AbortSignal): Promise<ObjectInfo>
  /** No error if the key does not exist. */
  delete(key: string): Promise<void>
  /** Deletes every object under `prefix/`. */
  deleteUnder(prefix: string): Promise<void>
  /** The path of that generation on a local disk; undefined if this process cannot open it as a file. */
  localPath(key: string, generation: string): Promise<string | undefined>
  /** Whether this many more bytes fit, and leave the reserve for what must be written. */
  hasRoom(bytes: number): Promise<boolean>
  /** Throws if the storage cannot be reached or written. */
  ping(): Promise<void>
}

/** What a session sends of an object. */
export interface ObjectPart {
  readonly key: string
  readonly session: number
}

/** What has arrived of objects that are sent in several PUTs. Deleting the object deletes it too. */
export interface ObjectParts {
  bytesOf(part: ObjectPart): Promise<number>
  /**
   * Writes what the source has behind the first `from` bytes, and returns how many there are then. If the source fails, what it had
   * stays. Throws ObjectExistsError for an existing key.
   */
  append(part: ObjectPart, source: AsyncIterable<Buffer>, from: number): Promise<number>
  /** Makes the part the object. `onRead` runs again and again while it is read. Throws ObjectExistsError for an existing key. */
  finish(part: ObjectPart, contentType: string, onRead: () => Promise<void>): Promise<ObjectInfo>
  /** Deletes what has arrived of the sessions of an object, and nothing of an object that is complete. */
  discard(key: string): Promise<void>
}

export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError'
}

export class ObjectExistsError extends Error {
  override readonly name = 'ObjectExistsError'
}

const keyPattern = /^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,199}(?:\/[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,199})*$/

export function isObjectKey(key: string): boolean {
  return key.length <= 512 && keyPattern.test(key)
}

/** Throws for a key that is not a plain name: empty parts, leading dots, other characters. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError('not an object key')
}

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
