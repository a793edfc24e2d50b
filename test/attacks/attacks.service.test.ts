import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attacks } from '../../scripts/attacks/attacks.ts'
import { measureAttacks } from '../../scripts/attacks/measure-attack.ts'
import { makeAttackMedia } from '../../scripts/hostile/attack-media.ts'
import { type Canary, startCanary } from '../../scripts/hostile/canary.ts'
import { type MediaHost, startMediaHost } from '../../scripts/hostile/media-host.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { type Service, startService } from '../e2e/service.ts'
import { mediaTools } from '../setup/tools.ts'

const seconds = 15
/** A blank variable counts as unset. */
const defaultQuotas = Object.fromEntries(Object.keys(noQuotas).map((name) => [name, '']))

let folder: string
let canary: Canary
let host: MediaHost
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'attacks-'))
  canary = await startCanary(folder)
  host = await startMediaHost(await freePort(), canary)
  service = await startService({
    ...defaultQuotas,
    TRUST_PROXY: '1',
    MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}`,
  })
})
afterAll(async () => {
  host.close()
  canary.close()
  await service.stop()
  await rm(folder, { recursive: true })
})

test('all attacks at once take neither memory nor the service from another account', async () => {
  const run = {
    world: {
      baseUrl: service.baseUrl,
      media: await makeAttackMedia(mediaTools.ffmpegPath),
      host,
      objectsDir: path.join(service.dataDir, 'objects'),
    },
    newKey: async () => (await service.newAccount()).token,
  }
  const quiet = await measureAttacks({ ...run, seconds: 2 }, [])
  const attacked = await measureAttacks({ ...run, seconds }, attacks)
  expect(attacked.toolMebibytes).toBeGreaterThan(0)
  expect(attacked.toolMebibytes).toBeLessThanOrEqual(512)
  expect(attacked.workerMebibytes).toBeLessThanOrEqual(600)
  // Beside the other tests, on a machine half as fast.
  expect(attacked.victimSecondsP95).toBeLessThanOrEqual(Math.max(10, 10 * quiet.victimSecondsP50))
})
