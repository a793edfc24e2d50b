/** Arguments that a tool accepts and refuses. `JOB` and `KEY` stand for ids of the account. */
export interface ToolCase {
  readonly good: Record<string, unknown>
  /** The error of a valid call when no worker runs and no job ends. */
  readonly code?: string
  /** The required arguments. */
  readonly required?: readonly string[]
  readonly wrong: Record<string, unknown>
}

const job = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/interview.mp4' }

export const toolCases: Readonly<Record<string, ToolCase>> = {
  get_agent_guide: { good: {}, wrong: { page: 1 } },
  list_endpoints: { good: { group: 'video' }, wrong: { group: 'images' } },
  get_endpoint_schema: { good: { endpoint: job.endpoint }, required: ['endpoint'], wrong: { endpoint: 7 } },
  estimate_cost: {
    good: { endpoint: job.endpoint, media_seconds: 60 },
    required: ['endpoint', 'media_seconds'],
    wrong: { media_seconds: '60' },
  },
  list_workflows: { good: {}, wrong: { id: 'remove-dead-space' } },
  plan_integration: { good: { goal: 'remove silence' }, required: ['goal'], wrong: { goal: ['remove silence'] } },
  get_code_example: {
    good: { language: 'curl', endpoint: job.endpoint },
    required: ['language', 'endpoint'],
    wrong: { language: 'COBOL' },
  },
  check_job_readiness: {
    good: { ...job, media_seconds: 60 },
    required: ['endpoint'],
    wrong: { settings: 'threshold' },
  },
  run_agent_diagnostics: { good: {}, wrong: { verbose: true } },
  create_workflow_job: {
    good: { workflow_id: 'remove-dead-space', media_seconds: 60 },
    required: ['workflow_id', 'media_seconds'],
    wrong: { mode: 'run' },
  },
  continue_workflow_job: { good: { job_id: 'JOB' }, code: 'conflict', required: ['job_id'], wrong: { queue: 'yes' } },
  create_upload: { good: { filename: 'a.mp4' }, required: ['filename'], wrong: { bytes: -1 } },
  list_uploads: { good: { limit: 5 }, wrong: { status: 'deleted' } },
  create_job: { good: job, required: ['endpoint', 'media_url'], wrong: { start: {} } },
  get_job: { good: { job_id: 'JOB' }, required: ['job_id'], wrong: { wait_seconds: 61 } },
  get_job_result: { good: { job_id: 'JOB' }, code: 'conflict', required: ['job_id'], wrong: { limit: 0 } },
  cancel_job: { good: { job_id: 'JOB' }, required: ['job_id'], wrong: { job_id: 5 } },
  list_jobs: { good: { limit: 5 }, wrong: { limit: 0 } },
  get_usage_summary: { good: { group_by: 'day' }, wrong: { from: 'yesterday' } },
  get_account_limits: { good: {}, wrong: { month: 1 } },
  set_spend_cap: { good: { monthly_cap_usd: 50 }, required: ['monthly_cap_usd'], wrong: { alert_percents: [0] } },
  create_billing_link: { good: {}, code: 'endpoint_unavailable', wrong: { amount: 5 } },
  regenerate_output_url: { good: { job_id: 'JOB' }, code: 'conflict', required: ['job_id'], wrong: { job_id: null } },
  list_api_keys: { good: {}, wrong: { secret: true } },
  create_api_key: { good: { name: 'made' }, required: ['name'], wrong: { scope: 'images/*' } },
  revoke_api_key: { good: { key_id: 'KEY' }, required: ['key_id'], wrong: { key_id: {} } },
}
