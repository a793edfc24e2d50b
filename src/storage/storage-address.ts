import type { Config } from '../config.ts'

type StorageConfig = Pick<Config, 'STORAGE' | 'GCS_BUCKET' | 'GCS_API_ENDPOINT' | 'GCS_PUBLIC_ENDPOINT'>

/** What pages send uploads to and play media from. Undefined for the local storage, which this service serves. */
export function storageAddress({ STORAGE, GCS_BUCKET, GCS_API_ENDPOINT, GCS_PUBLIC_ENDPOINT }: StorageConfig) {
  if (STORAGE === 'local') return undefined
  return new URL(`/${GCS_BUCKET}/`, GCS_PUBLIC_ENDPOINT ?? GCS_API_ENDPOINT ?? 'https://storage.googleapis.com')
}
