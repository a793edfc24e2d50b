import { servedFile } from '../../core/served-file.ts'
import {
  isObjectKey,
  type NamedObject,
  type PresignGetInput,
  type PresignPutInput,
  type SignedUrl,
} from '../storage.ts'
import { type GcsBucket, onGcs, within } from './open-bucket.ts'

type SignedUpload = SignedUrl & { readonly headers: Readonly<Record<string, string>> }

/** A V4 URL with signed headers: a PUT without them is refused. */
export async function signPut(gcs: GcsBucket, input: PresignPutInput): Promise<SignedUpload> {
  const { key, contentType, maxBytes, expiresInSeconds } = input
  const conditions = {
    'x-goog-if-generation-match': '0',
    'x-goog-content-length-range': `0,${maxBytes}`,
  }
  const signed = await sign(gcs, key, expiresInSeconds, { action: 'write', contentType, extensionHeaders: conditions })
  return { ...signed, headers: { 'content-type': contentType, ...conditions } }
}

/** A V4 URL whose query sets the content type and disposition of the response. */
export async function signGet(gcs: GcsBucket, input: PresignGetInput): Promise<SignedUrl> {
  const { contentType, contentDisposition } = servedFile(input.contentType, input.fileName, input.asAttachment)
  return sign(gcs, input.key, input.expiresInSeconds, {
    action: 'read',
    responseType: contentType,
    responseDisposition: contentDisposition,
  })
}

/**
 * The object of a URL with our prefix. Reads the expiry, but only Google can check the signature, so the URL alone
 * proves nothing.
 */
export function objectOfUrl({ publicEndpoint, bucket }: GcsBucket, url: URL): NamedObject | undefined {
  const start = `${new URL(publicEndpoint).href.replace(/\/$/, '')}/${bucket.name}/`
  const address = `${url.origin}${url.pathname}`
  if (!address.startsWith(start)) return undefined
  const key = address.slice(start.length)
  const expiresAt = expiryOf(url.searchParams)
  if (!isObjectKey(key) || expiresAt === undefined) return { key, status: 'altered' }
  return { key, status: expiresAt <= Date.now() ? 'expired' : 'valid' }
}

type Wanted =
  | { readonly action: 'read'; readonly responseType: string; readonly responseDisposition: string }
  | { readonly action: 'write'; readonly contentType: string; readonly extensionHeaders: Record<string, string> }

async function sign(gcs: GcsBucket, key: string, expiresInSeconds: number, wanted: Wanted): Promise<SignedUrl> {
  // The URL has whole seconds.
  const accessibleAt = new Date(Math.floor(Date.now() / 1000) * 1000)
  const expiresAt = new Date(accessibleAt.getTime() + expiresInSeconds * 1000)
  const [url] = await onGcs(() =>
    within(
      gcs.limits.timeoutMs,
      gcs.bucket.file(key).getSignedUrl({
        version: 'v4',
        host: gcs.publicEndpoint,
        accessibleAt,
        expires: expiresAt,
        ...wanted,
      }),
    ),
  )
  return { url, expiresAt }
}

/** In milliseconds. */
function expiryOf(query: URLSearchParams): number | undefined {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Goog-Date') ?? '')
  const seconds = Number(query.get('X-Goog-Expires') ?? NaN)
  if (!date || !Number.isFinite(seconds) || !query.has('X-Goog-Signature')) return undefined
  const [, year, month, day, hour, minute, second] = date
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + seconds * 1000
}
