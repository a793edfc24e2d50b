import { z } from 'zod'
import { assertCanHold, provisionalHoldMicroUsd } from '../../../src/billing/holds.ts'
import { maxPriceOf } from '../../../src/billing/price.ts'
import { maxMicroUsd } from '../../../src/core/money.ts'
import { assertScope } from '../../http/assert-scope.ts'
import { type Estimate, estimatePrice, presentEstimate } from '../../jobs/estimate.ts'
import { estimateRequest, estimateSchema } from '../../jobs/estimate-schema.ts'
import { validateJobRequest } from '../../jobs/validate.ts'
import { describeWarnings } from '../answers.ts'
import { defineTool, lookUpOutside } from '../define-tool.ts'
import { check, checkSchema, describeChecks } from '../diagnose.ts'
import { refusePlaceholders } from '../plan-calls.ts'

export const checkJobReadinessTool = defineTool({
  name: 'check_job_readiness',
  title: 'Check a job before spending',
  description:
    'Takes the arguments of svc.create_job, and returns whether that job could run and what it would cost at most. Checks settings and scope, reads the media, and compares the price with credits and cap. Spends nothing.',
  auth: 'key',
  annotations: lookUpOutside,
  input: estimateRequest.extend({ idempotency_key: z.string().optional() }),
  output: z.object({
    ready: z.boolean(),
    checks: z.array(checkSchema).describe('In order; the first failed check is the last.'),
    estimate: estimateSchema.optional(),
  }),
  run: async ({ idempotency_key: _key, ...request }, { context, credential, signal }) => {
    let estimate: Estimate | undefined
    const { media_seconds: _, ...job } = request
    let heldAtCreate = provisionalHoldMicroUsd
    const steps: Record<string, () => Promise<string>> = {
      request: async () => {
        refusePlaceholders(job)
        assertScope(credential, request.endpoint)
        const { endpoint, window, settings } = validateJobRequest(job, context.models)
        heldAtCreate = maxPriceOf(endpoint, { window, settings, mediaSeconds: undefined })?.microUsd ?? heldAtCreate
        return 'The endpoint accepts the settings, and the scope covers it.'
      },
      media: async () => {
        estimate = await estimatePrice(context, { request, credential, signal })
        return estimate.assumptions[0] ?? 'The length of the media is known.'
      },
      funds: async () => {
        const price = estimate?.maxPrice.microUsd ?? 0n
        await assertCanHold(context.db, credential, maxMicroUsd(heldAtCreate, price))
        return 'Credits, billing and cap cover the price.'
      },
    }
    const checks = []
    for (const [name, work] of Object.entries(steps)) {
      const checked = await check(name, work)
      checks.push(checked)
      if (!checked.ok) break
    }
    const ready = checks.every(({ ok }) => ok)
    const presented = estimate && presentEstimate(estimate)
    const text = ready
      ? `Ready: at most ${presented?.estimated_price_usd} USD.${lengthOf(presented)}${describeWarnings(presented?.warnings)} Next: svc.create_job with the same arguments.`
      : `Not ready:\n${describeChecks(checks)}`
    return { structured: { ready, checks, ...(presented ? { estimate: presented } : {}) }, text }
  },
})

function lengthOf({ media_seconds: seconds }: Partial<ReturnType<typeof presentEstimate>> = {}): string {
  return seconds === undefined ? '' : ` The media has ${seconds} seconds.`
}
