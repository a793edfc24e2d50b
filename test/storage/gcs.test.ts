import { describe } from 'vitest'
import { openGcsStorage } from '../../src/storage/gcs/gcs-storage.ts'
import { noGcsEmulator, startGcsEmulator } from '../setup/gcs-emulator.ts'
import { storageContract } from './contract.ts'

const skipped = noGcsEmulator ? ` (skipped: ${noGcsEmulator})` : ''

describe.skipIf(noGcsEmulator)(`on the emulator${skipped}`, () => {
  storageContract(
    'gcs',
    async () => {
      const { endpoint, bucket, stop } = await startGcsEmulator()
      return { storage: openGcsStorage({ bucket, apiEndpoint: endpoint }), close: stop }
    },
    {
      'refuses a second PUT': 'the emulator takes any signed PUT; signed-urls.test.ts proves the condition',
      'presents as signed': 'the emulator leaves out what the URL says of type and name; signed-urls.test.ts proves it',
    },
  )
})
