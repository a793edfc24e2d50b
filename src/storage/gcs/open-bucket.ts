import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bucket, Storage as GcsClient, IdempotencyStrategy } from '@google-cloud/storage'
import { withTimeout } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import { ObjectExistsError, ObjectNotFoundError } from '../storage.ts'

interface GcsCredentials {
  readonly client_email: string
  readonly private_key: string
}

export interface GcsOptions {
  readonly bucket: string
  /** The address of an emulator. It gets no credentials, and signatures by a key that only exists here. */
  readonly apiEndpoint?: string | undefined
  /** The base of signed URLs, if callers reach the endpoint by another address than this process. */
  readonly publicEndpoint?: string | undefined
  /**
   * Application Default Credentials when left out. Credentials without a private key (an attached or impersonated service
   * account, workload identity) sign by IAM's signBlob: one request per URL, and the service account needs
   * roles/iam.serviceAccountTokenCreator on itself.
   */
  readonly credentials?: GcsCredentials | undefined
  readonly limits?: GcsLimits
}

export interface GcsBucket {
  readonly bucket: Bucket
  /** Without a trailing slash. */
  readonly apiEndpoint: string
  readonly publicEndpoint: string
  readonly limits: GcsLimits
  /** The authorization headers of our own requests. */
  readonly authorization: () => Promise<Record<string, string>>
}

/** The bucket through Google's client, which authorizes, signs, looks up, lists and deletes. */
export function openBucket(options: GcsOptions): GcsBucket {
  const { apiEndpoint, credentials, limits = defaultLimits } = options
  const key = credentials ?? (apiEndpoint ? throwAwayKey() : undefined)
  const client = new GcsClient({
    ...(apiEndpoint ? { apiEndpoint } : {}),
    ...(key ? { credentials: { ...key } } : {}),
    timeout: limits.timeoutMs,
    retryOptions: {
      autoRetry: limits.retries > 0,
      maxRetries: limits.retries,
      maxRetryDelay: limits.maxDelayMs / 1000,
      totalTimeout: totalMs(limits) / 1000,
      // Repeating a delete is safe, because no key is written twice.
      idempotencyStrategy: IdempotencyStrategy.RetryAlways,
    },
  })
  return {
    bucket: client.bucket(options.bucket),
    apiEndpoint: client.apiEndpoint,
    publicEndpoint: options.publicEndpoint ?? client.apiEndpoint,
    limits,
    authorization: async () => (apiEndpoint ? {} : within(limits.timeoutMs, client.authClient.getRequestHeaders())),
  }
}

function throwAwayKey(): GcsCredentials {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    client_email: 'emulator@example.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Sends one request once. Throws a retryable GcsError for no response, 408, 429 and 5xx. */
export async function send(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  // GCS answers a chunk of an upload with 308, which is not a redirect here.
  const response = await fetch(url, { redirect: 'manual', ...init }).catch((error: unknown) => {
    throw new GcsError(`no answer: ${reasonOf(error)}`, { isPassing: true })
  })
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    await response.body?.cancel()
    throw new GcsError(`answered ${response.status}`, { status: response.status, isPassing: true })
  }
  return response
}

/** Aborts after `milliseconds`, or with the caller's signal. */
export function timeLimit(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds)
  return signal ? AbortSignal.any([limit, signal]) : limit
}

/** Retries after retryable failures, with growing delays. */
export async function retrying<T>(
  { retries, maxDelayMs }: GcsLimits,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || failures >= retries || !(error instanceof GcsError && error.isPassing)) throw error
      const delayMs = Math.min(200 * 2 ** failures, maxDelayMs)
      // Jitter spreads requests that failed together.
      await sleep(delayMs * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {})
    }
  }
}

/** fetch throws "fetch failed" with the reason as its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** A failed call of GCS. Its message may contain keys, but no token and no signed URL. */
export class GcsError extends Error {
  override readonly name = 'GcsError'
  readonly status: number | undefined
  /** Whether a retry can succeed. */
  readonly isPassing: boolean

  constructor(message: string, { status, isPassing = false }: { status?: number; isPassing?: boolean } = {}) {
    super(message)
    this.status = status
    this.isPassing = isPassing
  }
}

/** Runs a step on GCS. Turns failures into a retryable `server_error`; rethrows an abort as its reason. */
export async function onGcs<T>(step: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await step()
  } catch (error) {
    signal?.throwIfAborted()
    if (isStorageFault(error)) throw error
    throw new ServiceError('server_error', undefined, { cause: withoutSecrets(error), retryable: true })
  }
}

/** The HTTP status that an error of the client library carries. */
export function httpStatusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** Rejects with a retryable error if GCS takes longer. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, milliseconds, () => new GcsError(`no answer in ${milliseconds} ms`, { isPassing: true }))
}

function isStorageFault(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof ObjectNotFoundError || error instanceof ObjectExistsError
}

/** The library's errors contain whole requests with their authorization, and causes go to the log. */
function withoutSecrets(error: unknown): GcsError {
  if (error instanceof GcsError) return error
  const status = httpStatusOf(error)
  return new GcsError(error instanceof Error ? error.message : String(error), status === undefined ? {} : { status })
}

/** How long GCS can take, and how often a failed request is retried. */
export interface GcsLimits {
  /** For a request without object bytes, and for the headers of a download. */
  readonly timeoutMs: number
  /** For a chunk of an upload, and between two reads of a download. */
  readonly transferTimeoutMs: number
  readonly retries: number
  /** Delays double up to this. */
  readonly maxDelayMs: number
}

const defaultLimits: GcsLimits = {
  timeoutMs: 10_000,
  transferTimeoutMs: 30_000,
  retries: 3,
  maxDelayMs: 8_000,
}

/** A request without bytes, with all its retries. */
export function totalMs({ timeoutMs, retries, maxDelayMs }: GcsLimits): number {
  return (retries + 1) * (timeoutMs + maxDelayMs)
}
