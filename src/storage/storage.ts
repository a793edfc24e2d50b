import type { Readable } from 'node:stream'

export interface ObjectInfo {
  readonly key: string
  readonly bytes: number
  readonly contentType: string
  /** Changes with every write of the key: reads that name it fail when the object was replaced. */
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

export interface PresignGetInput {
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  readonly expiresInSeconds: number
}

/** The object that a URL names, and whether the URL still is what presignGet gave, as far as this storage can tell. */
export interface NamedObject {
  readonly key: string
  readonly status: 'valid' | 'expired' | 'altered'
}

export interface ReadOptions {
  /** Fails with ObjectNotFoundError when the stored generation is another. */
  readonly generation?: string
  /** First byte. */
  readonly start?: number
  /** Last byte, inclusive. */
  readonly end?: number
  readonly signal?: AbortSignal
}

/** Objects by key: `/`-separated names of `[a-zA-Z0-9._-]`. Every implementation passes test/storage/contract.ts. */
export interface Storage {
  /** A URL that takes one PUT: the first complete one wins, later ones are refused with 409 or 412. */
  presignPut(input: PresignPutInput): Promise<SignedUrl & { readonly headers: Readonly<Record<string, string>> }>
  /** A URL that serves the object with ranges, an ETag and the given type and name. */
  presignGet(input: PresignGetInput): Promise<SignedUrl>
  /** What a signed URL of this storage names; undefined for every other address. Says nothing of whose object it is. */
  objectOf(url: URL): NamedObject | undefined
  stat(key: string): Promise<ObjectInfo | undefined>
  /** The caller reads the stream to its end or destroys it. Throws ObjectNotFoundError. */
  read(key: string, options?: ReadOptions): Promise<Readable>
  /** Atomic: readers see the whole object or none. An existing key is replaced. Errors of the source pass unchanged. */
  write(key: string, source: Readable, contentType: string, signal?: AbortSignal): Promise<ObjectInfo>
  /** Like write, but an existing key stays and ObjectExistsError is thrown; of several at once, one wins. */
  create(key: string, source: Readable, contentType: string, signal?: AbortSignal): Promise<ObjectInfo>
  /** No error when nothing is there. */
  delete(key: string): Promise<void>
  /** Deletes every object under `prefix/`. */
  deleteUnder(prefix: string): Promise<void>
  /** Where this process can open that generation as a file; undefined where it is not, or no longer, on a local disk. */
  localPath(key: string, generation: string): Promise<string | undefined>
  /** Throws when the storage cannot be reached or written. */
  ping(): Promise<void>
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

/** Throws on a key that could mean anything else than a name: empty parts, leading dots, other characters. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError('not an object key')
}
