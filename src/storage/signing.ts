import { createHmac } from 'node:crypto'
import { isSameSecret, type SigningKey } from '../core/signing-secret.ts'

/** What a signed URL allows. `maxBytes` limits a PUT, `fileName` names a GET's download. */
export interface Constraints {
  readonly contentType: string
  readonly maxBytes: number | null
  readonly fileName: string | null
  /** Of a PUT that is one of several that together send `maxBytes` bytes: the session that they belong to. */
  readonly session?: number
}

export interface SignInput extends Constraints {
  readonly method: 'GET' | 'PUT'
  readonly path: string
  /** Rounded down to whole seconds. */
  readonly expiresAt: Date
}

export type Verification =
  | {
      readonly status: 'valid'
      readonly constraints: Constraints
      /** Whether a GET saves the file: `download=1`, which anybody may add to the URL. */
      readonly asAttachment: boolean
    }
  | { readonly status: 'expired'; readonly isResumable: boolean }
  | { readonly status: 'altered' }

export interface Signer {
  /** The query that turns the path into a signed URL. */
  sign(input: SignInput): URLSearchParams
  verify(method: string, path: string, query: URLSearchParams, now?: Date): Verification
}

/** Signs method, path and the query (key id, expiry, constraints) with HMAC-SHA256. Only the first key signs; all verify. */
export function createSigner(current: SigningKey, ...others: readonly SigningKey[]): Signer {
  const keys = [current, ...others]
  const signatureOf = ({ secret }: SigningKey, method: string, path: string, query: URLSearchParams) =>
    createHmac('sha256', secret).update(`storage-url/1\n${method}\n${path}\n${query}`).digest('base64url')

  return {
    sign({ method, path, expiresAt, contentType, maxBytes, fileName, session }) {
      const query = new URLSearchParams({
        key: current.keyId,
        expires: String(Math.floor(expiresAt.getTime() / 1000)),
        type: contentType,
      })
      if (maxBytes !== null) query.set('max_bytes', String(maxBytes))
      if (fileName !== null) query.set('filename', fileName)
      if (session !== undefined) query.set('resumable', String(session))
      query.set('signature', signatureOf(current, method, path, query))
      return query
    },

    verify(method, path, query, now = new Date()) {
      const given = query.get('signature') ?? ''
      const signed = new URLSearchParams(query)
      signed.delete('signature')
      // Not signed: it shows the same bytes under the same name. Another value, or one at a PUT, is an alteration.
      const asAttachment = method === 'GET' && query.get('download') === '1'
      if (asAttachment) signed.delete('download')
      const key = keys.find(({ keyId }) => keyId === query.get('key'))
      // `sign` sends each parameter once. The signature covers the others; a second signature is an alteration too.
      const isDoubled = new Set(query.keys()).size < query.size
      // Compares signatures as text, because several base64url texts decode to the same bytes.
      if (isDoubled || !key || !isSameSecret(given, signatureOf(key, method, path, signed)))
        return { status: 'altered' }
      if (Number(query.get('expires')) * 1000 <= now.getTime())
        return { status: 'expired', isResumable: query.has('resumable') }
      const maxBytes = query.get('max_bytes')
      const session = query.get('resumable')
      return {
        status: 'valid',
        asAttachment,
        constraints: {
          contentType: query.get('type') ?? '',
          maxBytes: maxBytes === null ? null : Number(maxBytes),
          fileName: query.get('filename'),
          ...(session !== null && { session: Number(session) }),
        },
      }
    },
  }
}
