import type { Tool } from '../../../api/mcp/define-tool.ts'

/** The error codes of examples, while no worker runs, so that no job ends, and the service has no billing. */
const codes: Readonly<Record<string, string>> = {
  continue_workflow_job: 'conflict',
  get_job_result: 'conflict',
  regenerate_output_url: 'conflict',
  create_share: 'conflict',
  create_billing_link: 'endpoint_unavailable',
}

/** The example of a tool with ids of an account, and the code of its error, if it has one. */
export function exampleCall({ name, example }: Tool, ids: { readonly jobId: string; readonly keyId: string }) {
  const known: Readonly<Record<string, string>> = { job_id: ids.jobId, key_id: ids.keyId }
  const given = Object.entries(example).map(([field, value]) => [field, known[field] ?? value] as const)
  return { given: Object.fromEntries(given), code: codes[name] }
}
