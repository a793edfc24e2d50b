import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Storage as GcsClient } from '@google-cloud/storage'
import { answers } from '../../scripts/stack/http.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createSupervisor } from '../../scripts/stack/processes.ts'
import { required } from './required.ts'

/** Why tests on the emulator are skipped; undefined if they run. */
export const noGcsEmulator: string | undefined = process.env['FAKE_GCS_SERVER_PATH']
  ? undefined
  : 'there is no fake-gcs-server: put one on PATH, or name it with FAKE_GCS_SERVER_PATH'

export interface GcsEmulator {
  readonly endpoint: string
  /** An existing, empty bucket. */
  readonly bucket: string
  stop(): Promise<void>
}

/** Starts a separate emulator on a free port, with objects in memory. */
export async function startGcsEmulator(): Promise<GcsEmulator> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gcs-emulator-'))
  const supervisor = createSupervisor(folder)
  supervisor.removeAtEnd(folder)
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const addresses = [
    '-host',
    '127.0.0.1',
    '-port',
    `${port}`,
    '-external-url',
    endpoint,
    '-public-host',
    `127.0.0.1:${port}`,
  ]
  try {
    const emulator = supervisor.start({
      name: 'gcs',
      command: [
        required('FAKE_GCS_SERVER_PATH'),
        '-scheme',
        'http',
        '-backend',
        'memory',
        '-log-level',
        'warn',
        ...addresses,
      ],
    })
    await supervisor.untilReady(emulator, () => answers(`${endpoint}/_internal/healthcheck`), { seconds: 20 })
    const bucket = 'media-timeline-test'
    await new GcsClient({ apiEndpoint: endpoint, projectId: 'test' }).createBucket(bucket)
    return { endpoint, bucket, stop: supervisor.stopAll }
  } catch (error) {
    await supervisor.stopAll()
    throw error
  }
}
