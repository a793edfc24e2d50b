import { z } from 'zod'
import { maxSeconds } from '../../src/core/time-code.ts'
import { requestId } from '../http/schemas.ts'
import { jobRequestWith } from './request-schema.ts'

/** Body of `POST /v1/estimate`: the body of a job, and optionally the length of its media. */
export const estimateRequest = jobRequestWith({
  media_seconds: z
    .number()
    .positive()
    .max(maxSeconds)
    .optional()
    .describe('Length of the media, which is then not read.'),
}).meta({ examples: [{ endpoint: 'audio/detect-silence', media_seconds: 3600 }] })

export type EstimateRequest = z.output<typeof estimateRequest>

export const estimateSchema = z.object({
  endpoint: z.string(),
  estimated_price_usd: z
    .number()
    .describe(
      'The amount that is held for the job. The final price is never higher, unless media_seconds was sent and the media is longer.',
    ),
  billable_seconds: z.number().describe('The length that the price is computed from.'),
  media_seconds: z.number().optional().describe('Length of the media, if it was sent or read.'),
  price: z.object({ usd: z.number(), unit: z.string() }).describe('Price per minute, as in the catalog.'),
  assumptions: z.array(z.string()),
  warnings: z.array(z.string()).describe('Parts of the request that the job would ignore, such as unknown settings.'),
})

export const estimateEnvelope = z.object({ request_id: requestId, ...estimateSchema.shape }).meta({ id: 'Estimate' })
