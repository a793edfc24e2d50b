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
      'creates once': 'the emulator forgets the condition of a resumable upload; gcs-faults.test.ts proves it',
      'takes one signed PUT': 'the emulator checks no signed condition; gcs-signed-urls.test.ts proves it',
      'presents as signed': 'the emulator does not read response-content-*; gcs-signed-urls.test.ts proves it',
      'says what has arrived': 'the emulator ends a session that is asked; gcs-sessions.test.ts proves what is sent',
      'compares ETags': 'the emulator does not read if-none-match',
    },
  )
})
