import { rm } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { speech } from '../fixtures/make.ts'
import { models, whySkipped } from '../setup/models.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const found = z.object({
  analysis: z.string(),
  matches: z.array(z.object({ query: z.string(), start: z.number(), end: z.number() })),
})
const run = z.object({
  status: z.string(),
  outputs: z.array(z.object({ duration: z.number() })),
  steps: z.array(z.object({ job_id: z.string() })),
})

describe.skipIf(!models.has('transcribe'))(`words${whySkipped}`, () => {
  let service: SharedService
  beforeAll(async () => {
    service = await useSharedService()
  })

  const find = async (media_url: string, queries: string[], window: object) => {
    const request = { endpoint: 'audio/find-words', media_url, settings: { queries }, ...window }
    const job = await service.client.ended((await service.client.create(request)).id)
    expect(job.error).toBeUndefined()
    liveEndpoint('audio/find-words').result.parse(job.result)
    return found.parse(job.result)
  }

  it('become clips around each of them, and are found again without the media', async () => {
    const media_url = await service.client.upload(speech)
    const { body } = await service.client.send('POST', '/v1/workflows/find-exact-words/runs?wait=60', {
      ...{ mode: 'run_all', media_url, end: 11 },
      settings: {
        'audio/find-words': { queries: ['technical information', 'capabilities'] },
        'video/clip-near': { before_seconds: 1, after_seconds: 1 },
      },
    })
    const { status, outputs, steps } = z.object({ run }).parse(body).run
    expect([status, outputs.length, steps.length]).toEqual(['completed', 2, 2])
    for (const { duration } of outputs) expect(duration).toBeGreaterThan(1)

    const { mediaKey, mediaVersion } = await service.db.job.findUniqueOrThrow({ where: { id: steps[0]?.job_id ?? '' } })
    // The bytes of the upload, whose description stays.
    await rm(path.join(service.dataDir, 'objects', `${mediaKey}~`, mediaVersion ?? 'none'))
    const again = await find(media_url, ['ASTERISK'], { start: 1, end: 10 })
    expect(again.analysis).toBe('reused')
    expect(again.matches.map(({ start, end }) => start < end && end < 11)).toEqual([true, true])
  })
})
