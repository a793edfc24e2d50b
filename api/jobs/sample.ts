import { createHash } from 'node:crypto'
import { z } from 'zod'
import { takeOrRefuse } from '../../src/accounts/quotas.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { daySeconds } from '../../src/core/time-code.ts'
import type { MediaReference } from '../../src/jobs/job-rows.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import type { ApiContext } from '../http/context.ts'
import { bodyErrors, errorEnvelope, ownerRoute, response } from '../http/route.ts'
import { createJob } from './create.ts'

/** The hash of the sample episode of the dashboard, which a test compares. */
export const sampleSha256 = '779b4269023c0298a5f7aa2dd32b7991bd9c839cf89693adb6b6b6f87682c5e5'
const maxSampleBytes = 2 ** 20
const samplesPerDay = 5

const analyses = [
  { endpoint: 'audio/detect-silence', settings: { threshold: 'auto', min_silence_seconds: 0.5 } },
  { endpoint: 'audio/find-words', settings: {} },
] as const

const sampleRequest = strictFields({ media_url: z.string().max(2048).describe('Of the upload.') }).meta({
  id: 'SampleRequest',
  examples: [{ media_url: 'https://media.example/sample-episode.mp3' }],
})
const sampleEnvelope = response('SampleEnvelope', { job_ids: z.array(z.string()) })

/** `POST /api/dashboard/sample`: shows a new owner what the service finds, before they pay for anything. */
export const analyseSampleRoute = ownerRoute({
  method: 'POST',
  url: '/api/dashboard/sample',
  schema: {
    tags: ['jobs'],
    operationId: 'analyseSample',
    summary: 'Find the pauses and words of the sample episode, free of charge',
    description: 'The media_url is that of an upload of the sample episode of the dashboard. Other media are refused.',
    body: sampleRequest,
    response: { ...bodyErrors, 202: sampleEnvelope, 402: errorEnvelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, account, reply }) => {
    const { accountId } = account
    const media = await resolveMedia(context, accountId, request.body.media_url)
    if (!(await isSample(context, media))) throw new ServiceError('invalid_request', 'This is not the sample episode.')
    const quota = { subject: `samples ${accountId}`, limit: samplesPerDay, windowSeconds: daySeconds }
    await takeOrRefuse(context.db, quota, `The sample is analysed ${samplesPerDay} times a day.`)
    const job_ids: string[] = []
    for (const analysis of analyses) {
      const asked = { ...analysis, media_url: request.body.media_url }
      const { job } = await createJob(context, {
        ...{ credential: account, requestId: request.id, request: asked, media, isFree: true },
      })
      job_ids.push(job.id)
    }
    return reply.code(202).send({ request_id: request.id, job_ids })
  },
})

async function isSample({ storage }: Pick<ApiContext, 'storage'>, { object }: MediaReference): Promise<boolean> {
  if (!object) return false
  const hash = createHash('sha256')
  let bytes = 0
  const source: AsyncIterable<Buffer> = await storage.read(object.key, {
    generation: object.generation,
    end: maxSampleBytes,
  })
  for await (const chunk of source) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return bytes <= maxSampleBytes && hash.digest('hex') === sampleSha256
}
