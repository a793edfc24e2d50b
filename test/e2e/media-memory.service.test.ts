import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { speech } from '../fixtures/make.ts'
import { filmWithText } from '../fixtures/text-film.ts'
import { temporaryFolder } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'
import { runFfmpeg } from '../setup/tools.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const run = z.object({
  id: z.string(),
  status: z.string(),
  steps: z.array(z.object({ job_id: z.string(), job: z.object({ endpoint: z.string() }) })),
  result: z.object({
    segments: z.array(
      z.object({ start: z.number(), end: z.number(), label: z.string(), sources: z.array(z.number()).length(1) }),
    ),
    sources: z.array(z.object({ job_id: z.string() })),
  }),
})
const chunksOf = z.object({ chunks: z.array(z.object({ title: z.string().min(1), text: z.string() })).min(1) })
const results = z.object({ results: z.array(z.object({ job_id: z.string(), run_id: z.string() })) })

describe.skipIf(!models.has('embed') || !models.has('read-text'))(`searchable media memory${whySkipped}`, () => {
  let service: SharedService
  beforeAll(async () => {
    service = await useSharedService()
  })

  it('puts chunks and text into one timeline with labels and sources, and search finds both', async () => {
    const file = path.join(temporaryFolder(), 'talk.mp4')
    const inputs = ['-i', await filmWithText(), '-i', speech, '-map', '0:v', '-map', '1:a', '-t', '8']
    await runFfmpeg(...inputs, '-c:v', 'copy', '-c:a', 'aac', file)
    const media_url = await service.client.upload(file)
    const route = '/v1/workflows/searchable-media-memory/runs?wait=60'
    const { body } = await service.client.send('POST', route, { mode: 'run_all', media_url })
    const { id, status, steps, result } = z.object({ run }).parse(body).run
    expect(status).toBe('completed')
    const [chunks, text] = steps.map(({ job_id }) => job_id)
    expect(result.sources.map(({ job_id }) => job_id)).toEqual([chunks, text])
    const labelsOf = (source: number) =>
      result.segments.filter(({ sources }) => sources[0] === source).map(({ label }) => label)
    const titled = chunksOf.parse((await service.client.job(chunks ?? '')).result).chunks
    expect(labelsOf(0)).toEqual(titled.map(({ title }) => title))
    expect(titled.map(({ text }) => text).join(' ')).toMatch(/would like to/)
    expect(labelsOf(1)).toEqual(expect.arrayContaining(['Chapter one', 'LIVE']))
    const starts = result.segments.map(({ start }) => start)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))

    for (const [words, job_id] of [
      ['technical information', chunks],
      ['"chapter one"', text],
    ]) {
      const { body: found } = await service.client.send('GET', `/v1/search?q=${encodeURIComponent(words ?? '')}`)
      expect(results.parse(found).results).toContainEqual({ job_id, run_id: id })
    }
  })
})
