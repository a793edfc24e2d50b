import { strictFields } from '../../../src/core/input-problems.ts'
import { counted } from '../../../src/core/text.ts'
import { estimatePrice, presentEstimate } from '../../jobs/estimate.ts'
import { estimateRequest, estimateSchema } from '../../jobs/estimate-schema.ts'
import { describeWarnings } from '../answers.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'

const { media_url: _, ...fields } = estimateRequest.shape

export const estimateCostTool = definePublicTool({
  name: 'estimate_cost',
  title: 'Estimate the price of a job',
  description:
    'Returns how much a job would cost at most, for a media length in seconds. Reads no media and spends nothing. Needs endpoint, its required settings, and media_seconds, unless start and end give the length. Timeline endpoints read no media and cost nothing. To read the media first, call svc.check_job_readiness.',
  annotations: lookUp,
  input: strictFields(fields),
  output: estimateSchema,
  run: async (request, { context, signal }) => {
    const estimate = presentEstimate(await estimatePrice(context, { request, credential: undefined, signal }))
    return {
      structured: estimate,
      text: `At most ${estimate.estimated_price_usd} USD for ${counted(estimate.billable_seconds, 'second')}. Failed jobs cost nothing.${describeWarnings(estimate.warnings)} Next: svc.check_job_readiness with the media, or svc.create_job.`,
    }
  },
})
