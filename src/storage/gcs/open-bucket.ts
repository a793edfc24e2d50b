import { generateKeyPairSync } from 'node:crypto'
import { type Bucket, Storage as GcsClient, IdempotencyStrategy } from '@google-cloud/storage'
import { within } from './failures.ts'
import { defaultLimits, type GcsLimits, totalMs } from './limits.ts'

export interface GcsCredentials {
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
