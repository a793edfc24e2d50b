import { z } from 'zod'
import { freeCreditsMicroUsd } from '../../../src/billing/credits.ts'
import { toUsd } from '../../../src/core/money.ts'
import { definePublicTool } from '../define-tool.ts'
import { lookUp } from './annotations.ts'

const steps = [
  'Choose: svc.plan_integration with the goal, or svc.list_endpoints and svc.list_workflows.',
  'Learn the settings: svc.get_endpoint_schema.',
  'Know the price: svc.estimate_cost with the length of the media. It needs no key.',
  'Bring the media: any public or signed URL as it is; for a local file svc.create_upload, then PUT its bytes.',
  'Check before spending: svc.check_job_readiness reads the media and says whether the job would be accepted.',
  'Run: svc.create_job with an idempotency_key, then svc.get_job with wait_seconds until its status is completed or failed.',
  'Run a chain: svc.create_workflow_job plans all its steps, and runs them with mode run_all, whose end svc.get_job waits for by the id of the run; svc.continue_workflow_job goes step by step.',
  'Hand back: svc.get_job_result. Its file URLs live an hour; svc.regenerate_output_url makes fresh ones at no cost.',
]

const rules = [
  'Times are seconds from the start of the media.',
  'A job is never charged more than its estimate; failed and canceled jobs cost nothing.',
  'Steps of a chain that completed stay charged when a later one fails, or the run is canceled. One that reaches its max_price_usd ends there.',
  'To cancel, send POST to /v1/jobs/{job_id}/cancel or /v1/workflow-runs/{run_id}/cancel with the same key.',
  `An account begins with ${toUsd(freeCreditsMicroUsd)} USD of credits. After them svc.create_billing_link leads its owner to activate billing.`,
  'svc.set_spend_cap sets the most that a month may cost.',
  'Timeline endpoints take no media_url: they work on what other jobs found, and are free.',
  'Preview endpoints answer endpoint_unavailable: choose live ones.',
  'An error names a code and what to do next. invalid_request: correct the arguments. rate_limited: wait, then try again.',
  'Where something does not work, svc.run_agent_diagnostics finds out why.',
]

export const getAgentGuide = definePublicTool({
  name: 'get_agent_guide',
  title: 'Get the guide for agents',
  description:
    'Explains this service to an agent: what it does, which tools to call in which order, what costs money. Call it first. Needs no key.',
  annotations: lookUp,
  input: z.strictObject({}),
  output: z.object({
    service: z.string(),
    steps: z.array(z.string()),
    rules: z.array(z.string()),
    credential: z.string(),
    docs_url: z.url(),
  }),
  run: async (_input, { context, named }) => {
    const guide = {
      service:
        'Finds timestamped moments in video and audio and cuts clips, exact to the frame, as jobs billed by use.',
      steps: steps.map(named),
      rules: rules.map(named),
      credential: 'Tools that act for an account need the header "Authorization: Bearer <API_KEY>".',
      docs_url: `${context.config.BASE_URL}/docs/`,
    }
    const numbered = guide.steps.map((step, index) => `${index + 1}. ${step}`)
    const text = [guide.service, ...numbered, ...guide.rules.map((rule) => `- ${rule}`), guide.credential].join('\n')
    return { structured: guide, text }
  },
})
