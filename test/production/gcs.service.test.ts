import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers } from '../../scripts/stack/http.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createSupervisor, type Supervisor } from '../../scripts/stack/processes.ts'
import { openGcsStorage } from '../../src/storage/gcs/gcs-storage.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { noGcsEmulator } from '../setup/gcs-emulator.ts'
import { required } from '../setup/required.ts'
import { composeProject } from './compose.ts'

const bucket = 'media-timeline'

describe.skipIf(noGcsEmulator !== undefined)(`the emulator of docker-compose.yml ${noGcsEmulator ?? ''}`, () => {
  let folder: string
  let supervisor: Supervisor
  let storage: Storage
  let publicEndpoint: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gcs compose '))
    supervisor = createSupervisor(path.join(folder, 'logs'))
    const port = String(await freePort())
    const { gcs } = composeProject({ SIGNING_SECRET: 's', POSTGRES_PASSWORD: 'p' }).services
    // Here 127.0.0.1 replaces the containers' name for it; callers use localhost.
    const here = (value: string) => value.replace('gcs:', '127.0.0.1:').replaceAll('4443', port)
    const bucketFolder = path.join(folder, gcs?.tmpfs[0] ?? '')
    await mkdir(bucketFolder, { recursive: true })
    // Its image's entrypoint has -data /data.
    const args = ['-data', path.dirname(bucketFolder), ...(gcs?.command ?? []).map(here), '-host', '127.0.0.1']
    const emulator = supervisor.start({ name: 'gcs', command: [required('FAKE_GCS_SERVER_PATH'), ...args] })
    const healthUrl = here(gcs?.healthcheck?.test.at(-1) ?? '')
    await supervisor.untilReady(emulator, () => answers(healthUrl), { seconds: 20 })
    publicEndpoint = `http://localhost:${port}`
    storage = openGcsStorage({ bucket, apiEndpoint: `http://127.0.0.1:${port}`, publicEndpoint })
  })

  afterAll(async () => {
    await supervisor.stopAll()
    await rm(folder, { recursive: true, force: true })
  })

  it("has the bucket, and accepts an upload at the callers' address", async () => {
    const key = 'uploads/upl_1'
    const { url, headers } = await storage.presignPut({
      key,
      contentType: 'video/mp4',
      maxBytes: 9,
      expiresInSeconds: 60,
    })
    expect(url.startsWith(`${publicEndpoint}/${bucket}/`)).toBe(true)
    expect((await fetch(url, { method: 'PUT', headers, body: 'uploaded' })).status).toBe(200)
    expect(await text(await storage.read(key))).toBe('uploaded')
  })

  it('serves at that address what the worker wrote at its own', async () => {
    const key = 'outputs/job_1/clip.mp4'
    await storage.write(key, Readable.from(['clip']), 'video/mp4')
    const { url } = await storage.presignGet({ key, contentType: 'video/mp4', fileName: 'a.mp4', expiresInSeconds: 60 })
    expect(url.startsWith(publicEndpoint)).toBe(true)
    expect(await (await fetch(url)).text()).toBe('clip')
  })
})
