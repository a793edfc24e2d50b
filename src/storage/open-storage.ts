import path from 'node:path'
import type { Config } from '../config.ts'
import { openLocalStorage } from './local/local-storage.ts'
import { createSigner, type Signer } from './signing.ts'
import type { Storage } from './storage.ts'

type SigningConfig = Pick<Config, 'SIGNING_KEY_ID' | 'SIGNING_SECRET'>
type StorageConfig = SigningConfig & Pick<Config, 'STORAGE' | 'DATA_DIR' | 'BASE_URL'>

/** The signer of storage URLs; the API's object routes check with the same one. */
export function storageSigner({ SIGNING_KEY_ID: keyId, SIGNING_SECRET: secret }: SigningConfig): Signer {
  return createSigner({ keyId, secret })
}

/** The storage that the configuration names. Makes its folders and clears what dead processes left in them. */
export function openStorage(config: StorageConfig): Storage {
  switch (config.STORAGE) {
    case 'local':
      return openLocalStorage({
        directory: path.join(config.DATA_DIR, 'objects'),
        baseUrl: config.BASE_URL,
        signer: storageSigner(config),
      })
  }
}
