import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { filmWithText, shownTexts } from '../fixtures/text-film.ts'
import { models, whySkipped } from '../setup/models.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const found = z.object({
  analysis: z.string(),
  matches: z.array(z.object({ query: z.string(), text: z.string() })),
  lines: z.array(z.object({ text: z.string() })),
})

describe.skipIf(!models.has('read-text'))(`text on the screen${whySkipped}`, () => {
  let service: SharedService
  beforeAll(async () => {
    service = await useSharedService()
  })

  const resultOf = (result: unknown) => {
    liveEndpoint('video/text-frames').result.parse(result)
    return found.parse(result)
  }

  it('is read once, and searched again without the media, by REST and by tools', async () => {
    const media_url = await service.client.upload(await filmWithText())
    const request = { endpoint: 'video/text-frames', media_url, settings: { queries: ['chapter one'] } }
    const job = await service.client.ended((await service.client.create(request)).id)
    expect(job.error).toBeUndefined()
    const first = resultOf(job.result)
    expect(first.analysis).toBe('computed')
    expect(first.lines.map(({ text }) => text)).toEqual(shownTexts.map(({ text }) => text))
    expect(first.matches).toEqual([expect.objectContaining({ query: 'chapter one', text: 'Chapter one' })])

    const { mediaKey, mediaVersion } = await service.db.job.findUniqueOrThrow({ where: { id: job.id } })
    // The bytes of the upload, whose description stays.
    await rm(path.join(service.dataDir, 'objects', `${mediaKey}~`, mediaVersion ?? 'none'))

    const client = new Client({ name: 'agent', version: '1' })
    const headers = { authorization: `Bearer ${service.token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
    )
    const use = async (name: string, given: Record<string, unknown>) => {
      const { isError = false, structuredContent } = await client.callTool({ name: `svc.${name}`, arguments: given })
      expect([name, isError]).toEqual([name, false])
      return z.looseObject({}).parse(structuredContent)
    }
    const settings = { queries: ['hill'], match: 'stem', region: { x: 0, y: 0.5, width: 1, height: 0.5 } }
    const { job_id } = await use('create_job', { ...request, settings, start: 2, end: 8 })
    await use('get_job', { job_id, wait_seconds: 30 })
    const again = resultOf((await use('get_job_result', { job_id }))['result'])
    await client.close()
    expect(again.analysis).toBe('reused')
    expect(again.lines.map(({ text }) => text)).toEqual(['Where are you going?', 'To the hills at 10:45'])
    expect(again.matches.map(({ text }) => text)).toEqual(['To the hills at 10:45'])
  })
})
