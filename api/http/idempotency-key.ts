import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../src/core/errors.ts'
import type { IdempotencyKey } from '../../src/jobs/idempotency.ts'

const header = 'idempotency-key'
const keyPattern = /^[\x21-\x7e]{1,255}$/

export interface IdempotentRequest {
  readonly raw: Pick<IncomingMessage, 'rawHeaders'>
  readonly method: string
  readonly routeOptions: { readonly url?: string | undefined }
  readonly body: unknown
}

/** The request's Idempotency-Key, bound to the request; undefined without one. */
export function idempotencyKeyOf({ raw, method, routeOptions, body }: IdempotentRequest): IdempotencyKey | undefined {
  // `headers` would join a repeated header into one text.
  const given = raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === header)
  if (given.length > 1) throw malformed()
  return bindKey({ key: given[0], method, path: routeOptions.url ?? '', body })
}

export interface Repeatable extends Pick<IdempotencyKey, 'method' | 'path'> {
  readonly key: string | undefined
  readonly body: unknown
}

/** Binds a key to its request: the same key with another body is a conflict. */
export function bindKey({ key, method, path, body }: Repeatable): IdempotencyKey | undefined {
  if (key === undefined) return undefined
  if (!keyPattern.test(key)) throw malformed()
  const digest = createHash('sha256').update(canonicalJson(body)).digest()
  return { key, method, path, bodyHash: new Uint8Array(digest) }
}

function malformed(): ServiceError {
  return new ServiceError('invalid_request', 'Idempotency-Key: send it once, with 1 to 255 visible ASCII characters.')
}

/** JSON with sorted keys and no spaces, as in RFC 8785 (JSON Canonicalization Scheme): equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part)) ?? 'null'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
