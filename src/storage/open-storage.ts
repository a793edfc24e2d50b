import path from 'node:path'
import type { Config } from '../config.ts'
import { type SigningConfig, signingKeysOf } from '../core/signing-secret.ts'
import { basesOf } from '../core/urls.ts'
import { openLocalStorage } from './local/local-storage.ts'
import { createSigner, type Signer } from './signing.ts'
import type { Storage } from './storage.ts'

type StorageConfig = SigningConfig &
  Pick<Config, 'STORAGE' | 'DATA_DIR' | 'BASE_URL' | 'FALLBACK_BASE_URL'> &
  Pick<Config, 'GCS_BUCKET' | 'GCS_API_ENDPOINT' | 'GCS_PUBLIC_ENDPOINT'>

/** The signer of storage URLs. The API's object routes check them with the same signer. */
export function storageSigner(config: SigningConfig): Signer {
  return createSigner(...signingKeysOf(config))
}

/** The storage that the configuration names. Creates its folders and removes temporary files of dead processes. */
export async function openStorage(config: StorageConfig): Promise<Storage> {
  switch (config.STORAGE) {
    case 'local':
      return openLocalStorage({
        directory: path.join(config.DATA_DIR, 'objects'),
        baseUrls: basesOf(config),
        signer: storageSigner(config),
      })
    case 'gcs': {
      if (!config.GCS_BUCKET) throw new TypeError('readConfig lets no gcs pass without its bucket')
      // Loaded only for GCS: Google's client would add a quarter of a second to every start.
      const { openGcsStorage } = await import('./gcs/gcs-storage.ts')
      return openGcsStorage({
        bucket: config.GCS_BUCKET,
        apiEndpoint: config.GCS_API_ENDPOINT,
        publicEndpoint: config.GCS_PUBLIC_ENDPOINT,
      })
    }
  }
}
