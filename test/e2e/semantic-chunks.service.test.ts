import { rm } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { semanticChunksEndpoint } from '../../src/endpoints/audio-semantic-chunks/declaration.ts'
import { transcriptKind } from '../../src/media/speech/track-analysis-kinds.ts'
import { speech } from '../fixtures/make.ts'
import { models, whySkipped } from '../setup/models.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const found = z.object({ analysis: z.string(), chunks: z.array(z.object({ start: z.number(), end: z.number() })) })
const results = z.object({
  results: z.array(
    z.object({
      ...{ job_id: z.string(), endpoint: z.string(), media: z.object({ name: z.string() }) },
      ...{ start: z.number(), end: z.number(), highlight: z.string() },
    }),
  ),
})

describe.skipIf(!models.has('embed'))(`chunks by topic${whySkipped}`, () => {
  let service: SharedService
  beforeAll(async () => {
    service = await useSharedService()
  })

  const ask = async (endpoint: string, media_url: string, more: object) => {
    const job = await service.client.ended((await service.client.create({ endpoint, media_url, ...more })).id)
    expect(job.error).toBeUndefined()
    return job
  }
  const chunksOf = async (media_url: string, more: object) => {
    const { id, result } = await ask('audio/semantic-chunks', media_url, more)
    semanticChunksEndpoint.result.parse(result)
    return { id, ...found.parse(result) }
  }

  it('use the transcript of an earlier job, and with other lengths and windows nothing of the media', async () => {
    const media_url = await service.client.upload(speech)
    const words = await ask('audio/find-words', media_url, { end: 20 })
    const { mediaKey, mediaVersion } = await service.db.job.findUniqueOrThrow({ where: { id: words.id } })
    const first = await chunksOf(media_url, { end: 20 })
    expect(first.analysis).toBe('computed')
    const transcripts = { version: mediaVersion ?? '', format: transcriptKind.format }
    expect(await service.db.analysis.count({ where: transcripts })).toBe(1)

    await rm(path.join(service.dataDir, 'objects', `${mediaKey}~`, mediaVersion ?? 'none'))
    const settings = { target_seconds: 6, min_seconds: 3 }
    const again = await chunksOf(media_url, { start: 1, end: 19, settings })
    expect(again.analysis).toBe('reused')
    expect(again.chunks.length).toBeGreaterThan(first.chunks.length)

    const chapters = await fetch(`${service.baseUrl}/v1/jobs/${again.id}/export?as=chapters`, {
      headers: { authorization: `Bearer ${service.token}` },
    })
    expect(await chapters.text()).toMatch(/^0:00 \S+/)
  })

  it('are found by their words, over REST and by agents, until their job is deleted', async () => {
    const media_url = await service.client.upload(speech)
    const { id } = await chunksOf(media_url, { end: 11 })
    const search = async () => {
      const { body } = await service.client.send('GET', '/v1/search?q=learning%20technical%20information&limit=50')
      return results.parse(body).results.filter(({ job_id }) => job_id === id)
    }
    const [match] = await search()
    expect(match).toMatchObject({ endpoint: 'audio/semantic-chunks', media: { name: 'speech.wav' } })
    expect(match?.highlight).toContain('<mark>technical</mark> <mark>information</mark>')
    expect(match && match.start < match.end && match.end <= 11.1).toBe(true)

    const params = { name: 'svc.list_jobs', arguments: { query: '"technical information"' } }
    const { body } = await service.client.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(JSON.stringify(body)).toContain(id)

    await service.client.send('DELETE', `/v1/jobs/${id}`)
    expect(await search()).toEqual([])
  })
})
