import type { Config } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import { cleanFileName, tokenPattern } from '../core/file-names.ts'
import { isId } from '../core/ids.ts'
import { contentTypes, maxPictureBytes } from '../core/media.ts'
import { describeExcess } from '../core/text.ts'
import { basesOf, pathUnder } from '../core/urls.ts'
import type { Database } from '../db/database.ts'
import { type AllowHosts, checkTarget } from '../net/target-policy.ts'
import type { NamedObject, ObjectInfo, Storage } from '../storage/storage.ts'
import { recordStoredBytes } from '../uploads/storage-limits.ts'
import { findUpload } from '../uploads/uploads.ts'
import { type DueWorkStarter, startDueWork } from '../webhooks/deliveries.ts'
import { findOutputByKey } from './job-changes.ts'
import { type Job, type MediaReference, referenceOf } from './job-rows.ts'

interface Deps {
  readonly config: Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL' | 'MEDIA_ALLOW_HOSTS' | 'RETENTION_DAYS'>
  readonly db: Database
  readonly storage: Storage
  readonly jobs: DueWorkStarter['jobs']
  readonly logger: DueWorkStarter['logger']
}

const maxMediaUrlLength = 2048

/** The reference of a media_url: an upload or output of this account, pinned to its bytes, or another URL. */
export async function resolveMedia(
  deps: Deps,
  accountId: string,
  mediaUrl: string | undefined,
): Promise<MediaReference> {
  if (!mediaUrl?.trim()) {
    throw new ServiceError(
      'invalid_request',
      'media_url is required: a public or signed http(s) URL, or the media_url of an upload.',
    )
  }
  const url = parseMediaUrl(mediaUrl.trim())
  const ownPath = pathUnder(basesOf(deps.config), url)
  if (ownPath?.startsWith('/v1/media/')) return resolveUpload(deps, accountId, ownPath.slice('/v1/media/'.length))
  const named = deps.storage.objectOf(url)
  if (named) return resolveOutput(deps, accountId, url, named)
  await refuseFormerAddress(deps, accountId, url)
  assertAllowed(url, deps.config.MEDIA_ALLOW_HOSTS)
  return { url: url.href, object: null, name: fileNameOf(url) }
}

/** Throws `invalid_request` for a URL that cannot be read, as far as it says so itself. `place` is the field of the request. */
export function assertMediaUrl({ config }: Pick<Deps, 'config'>, mediaUrl: string, place: string): void {
  try {
    const url = parseMediaUrl(mediaUrl.trim())
    if (pathUnder(basesOf(config), url) === undefined) assertAllowed(url, config.MEDIA_ALLOW_HOSTS)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('invalid_request', `${place}: ${error.message}`, { cause: error })
  }
}

/** The media of an earlier job, for another job on it. Throws `not_found` if its file is deleted. */
export async function resolveMediaOf({ storage }: Pick<Deps, 'storage'>, job: Job): Promise<MediaReference> {
  const reference = referenceOf(job)
  const { object } = reference
  if (!object || (await storage.stat(object.key))?.generation === object.generation) return reference
  throw new ServiceError('not_found', `The media of ${job.id} is deleted. Upload it again, and send its media_url.`)
}

/** A caller's media URL, checked only for its form. Throws `invalid_request`. */
export function parseMediaUrl(text: string): URL {
  if (text.length > maxMediaUrlLength)
    throw refused(`is longer than ${maxMediaUrlLength} characters. Use a shorter one`)
  if (!URL.canParse(text)) throw refused('is not a URL. Use a complete http(s) URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('must start with http:// or https://')
  if (url.username || url.password) throw refused('must not contain a user name or password. Use a signed URL')
  return url
}

/** What the reader refuses in any case is refused immediately. It checks what names resolve to, and redirects. */
function assertAllowed(url: URL, allowHosts: AllowHosts): void {
  try {
    checkTarget(url, allowHosts)
  } catch {
    throw refused('points to an address that is not allowed. Use a public http(s) URL on port 80 or 443')
  }
}

/** The port or the domain of the service can change, and programs store a media_url. */
async function refuseFormerAddress({ config, db }: Deps, accountId: string, { pathname }: URL): Promise<void> {
  const present = await presentUrlOf(db, accountId, pathname)
  if (present === undefined) return
  throw new ServiceError('invalid_request', `media_url: the address of the service is ${config.BASE_URL}. ${present}`)
}

/** Which request returns the present URL of the account's upload or output at the path. */
async function presentUrlOf(db: Database, accountId: string, pathname: string): Promise<string | undefined> {
  const uploadId = /\/v1\/media\/([^/]+)$/.exec(pathname)?.[1] ?? ''
  if (isId('upl', uploadId) && (await findUpload(db, accountId, uploadId)))
    return `GET /v1/uploads/${uploadId} returns the present media_url of the upload.`
  const key = /\/storage\/(outputs\/.+)$/.exec(pathname)?.[1]
  const output = key === undefined ? null : await findOutputByKey(db, accountId, key)
  return output ? `POST /v1/jobs/${output.jobId}/outputs/refresh returns the present URLs of the outputs.` : undefined
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_request', `media_url ${reason}, or upload the file.`)
}

async function resolveUpload(deps: Deps, accountId: string, uploadId: string): Promise<MediaReference> {
  const { upload, object } = await receivedUpload(deps, { accountId, uploadId, field: 'media_url' })
  return {
    url: `${deps.config.BASE_URL}/v1/media/${upload.id}`,
    object: { key: object.key, generation: object.generation },
    name: upload.fileName,
  }
}

async function resolveOutput(
  { db, storage }: Deps,
  accountId: string,
  url: URL,
  { key, status }: NamedObject,
): Promise<MediaReference> {
  if (key.startsWith('uploads/')) {
    throw new ServiceError('not_found', 'media_url: this is an upload_url. Send the media_url from the same response.')
  }
  if (status === 'expired') {
    throw new ServiceError('invalid_request', 'media_url: this output URL has expired. Refresh the outputs of its job.')
  }
  const output = status === 'valid' ? await findOutputByKey(db, accountId, key) : null
  const object = output && (await storage.stat(key))
  if (!output || !object) {
    throw new ServiceError(
      'not_found',
      'media_url: this account has no such output. Use an output_url exactly as you received it.',
    )
  }
  // Drops the signature, which would give anyone access to the object.
  const { generation } = object
  return { url: `${url.origin}${url.pathname}`, object: { key, generation }, name: output.fileName }
}

/** The last part of a path; null if there is none, or if it can be a secret: a token without an extension. */
function fileNameOf({ pathname }: URL): string | null {
  const name = cleanFileName(decoded(pathname.split('/').at(-1) ?? ''))
  const isSecret = !/\.[a-z0-9]{2,4}$/i.test(name) && tokenPattern.test(name)
  return name === '' || isSecret ? null : name
}

/** Decodes percent-encoded UTF-8, and returns other text unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface UploadDependencies extends DueWorkStarter {
  readonly config: Pick<Config, 'RETENTION_DAYS'>
  readonly db: Database
  readonly storage: Pick<Storage, 'stat'>
}

interface NamedUpload {
  readonly accountId: string
  readonly uploadId: string
  /** The field of the request that names it. */
  readonly field: string
}

/** An upload of the account, with its object. Throws `not_found` for others, and `conflict` while its bytes have not arrived. */
export async function receivedUpload(deps: UploadDependencies, { accountId, uploadId, field }: NamedUpload) {
  const { config, db, storage } = deps
  const upload = isId('upl', uploadId) ? await findUpload(db, accountId, uploadId) : null
  if (!upload) throw missingUpload(field)
  const object = await storage.stat(upload.objectKey)
  if (object && upload.bytes === null) {
    const stored = { bytes: object.bytes, keptDays: config.RETENTION_DAYS }
    await startDueWork(deps, await recordStoredBytes(db, upload, stored))
  }
  if (object) return { upload, object }
  throw new ServiceError(
    'conflict',
    `${field}: ${upload.id} has no bytes yet. PUT the file to its upload_url first, then create the job.`,
  )
}

/** `field` is the field of the request that names it. */
export function missingUpload(field: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'not_found',
    `${field}: this account has no such upload, or it was deleted. Use what the upload returned, or upload the file again.`,
    { cause },
  )
}

/** Checks the uploads that a job reads as pictures: those of this account, whose bytes have arrived and are not too many. */
export async function checkPictures(
  deps: UploadDependencies,
  accountId: string,
  uploadIds: readonly string[],
): Promise<void> {
  await Promise.all(uploadIds.map((id, index) => checkPicture(deps, accountId, id, `settings.upload_ids[${index}]`)))
}

/** Returns its object. */
export async function checkPicture(
  deps: UploadDependencies,
  accountId: string,
  uploadId: string,
  field: string,
): Promise<ObjectInfo> {
  const { upload, object } = await receivedUpload(deps, { accountId, uploadId, field })
  if (Object.values<string>(contentTypes).includes(upload.contentType))
    throw new ServiceError(
      'invalid_request',
      `${field}: ${uploadId} was uploaded as ${upload.contentType}, not as a picture. Send its media_url as media_url instead.`,
    )
  if (object.bytes > maxPictureBytes)
    throw new ServiceError(
      'invalid_request',
      `${field}: ${describeExcess('The picture', object.bytes, maxPictureBytes)} Send a smaller one.`,
    )
  return object
}
