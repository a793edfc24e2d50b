import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attacks } from '../../lab/attacks/attack-list.ts'
import { measureAttacks } from '../../lab/attacks/measure-attack.ts'
import { type AttackMedia, makeAttackMedia } from '../../lab/hostile/attack-media.ts'
import { type Canary, type MediaHost, startCanary, startMediaHost } from '../../lab/hostile/media-host.ts'
import { openFreeAccount } from '../../lab/lab-stack.ts'
import { mebibyteLimits } from '../../lab/processes.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { type Service, startService } from '../e2e/service.ts'
import { mediaTools } from '../setup/tools.ts'

/** A blank variable is unset. */
const defaultQuotas = Object.fromEntries(Object.keys(noQuotas).map((name) => [name, '']))

let folder: string
let canary: Canary
let host: MediaHost
let media: AttackMedia
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'attacks-'))
  canary = await startCanary(folder)
  host = await startMediaHost(await freePort(), canary)
  const variables = { TRUST_PROXY: '1', MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}` }
  ;[media, service] = await Promise.all([
    makeAttackMedia(mediaTools.ffmpegPath),
    startService({ ...defaultQuotas, ...variables }),
  ])
})
afterAll(async () => {
  host.close()
  canary.close()
  await service.stop()
  await rm(folder, { recursive: true })
})

it('under all attacks at once, the jobs of another account complete, and no process takes more than its memory', async () => {
  const world = { baseUrl: service.baseUrl, media, host }
  const newKey = async () => (await service.newAccount(openFreeAccount)).token
  // Throws if a job of the other account fails.
  const measured = await measureAttacks({ world, newKey, seconds: 5, accountsPerAttack: 1 }, attacks)
  const { victimJobs, toolMebibytes, workerMebibytes, apiMebibytes } = measured
  // Samples can miss every tool: most run for some milliseconds.
  expect([victimJobs, workerMebibytes, apiMebibytes]).not.toContain(0)
  expect(toolMebibytes).toBeLessThanOrEqual(mebibyteLimits.ffmpeg)
  expect(workerMebibytes).toBeLessThanOrEqual(mebibyteLimits.worker)
  expect(apiMebibytes).toBeLessThanOrEqual(mebibyteLimits.api)
})
