import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBaseMedia } from '../../../lab/fuzz/base-media.ts'
import { casesOf } from '../../../lab/fuzz/cases.ts'
import { storeFinding } from '../../../lab/fuzz/fuzz.ts'
import { startLanes } from '../../../lab/fuzz/run-lanes.ts'
import { type Canary, type MediaHost, startCanary, startMediaHost } from '../../../lab/hostile/media-host.ts'
import { mediaPort, useSharedService } from '../../e2e/shared-service.ts'
import { mediaTools } from '../../setup/tools.ts'

const service = await useSharedService()
const root = path.join(import.meta.dirname, '..', '..', '..')
const seed = 1
const caseOf = casesOf(root, seed)
/** `npm run lab -- fuzz` continues from here. */
const cases = 80

let folder: string
let canary: Canary
let host: MediaHost
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fuzz-corpus-'))
  canary = await startCanary(folder)
  host = await startMediaHost(mediaPort('fuzz'), canary)
})
afterAll(async () => {
  host.close()
  canary.close()
  await rm(folder, { recursive: true })
})

test('mutated media, requests, signed URLs and tool messages break no invariant', async () => {
  const problems: string[] = []
  const counts = new Map<string, number>()
  let number = 0
  const { ended } = startLanes({
    world: {
      baseUrl: service.baseUrl,
      media: await makeBaseMedia(mediaTools.ffmpegPath, canary),
      canary,
      host,
    },
    newKey: async () => (await service.newAccount()).token,
    next: () => {
      number += 1
      return number > cases ? undefined : { number, case: caseOf(number) }
    },
    found: (one, texts) => {
      const store = path.join(root, '.data', 'fuzz')
      const file = storeFinding(store, `case-${one.number}`, { seed, problems: [...texts], cases: [one] })
      problems.push(...texts, `npm run lab -- fuzz --replay ${file}`)
    },
    count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
  })
  await ended
  expect(problems).toEqual([])
  expect(counts.get('job completed')).toBeGreaterThan(0)
  expect(counts.get('job processing_failed')).toBeGreaterThan(0)
  expect(counts.get('HTTP 400')).toBeGreaterThan(0)
})
