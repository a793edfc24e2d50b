import type { Tool } from './define-tool.ts'
import { checkJobReadiness } from './tools/check-job-readiness.ts'
import { continueWorkflowJob } from './tools/continue-workflow-job.ts'
import { createApiKey } from './tools/create-api-key.ts'
import { createBillingLink } from './tools/create-billing-link.ts'
import { createJobTool } from './tools/create-job.ts'
import { createUpload } from './tools/create-upload.ts'
import { createWorkflowJob } from './tools/create-workflow-job.ts'
import { estimateCost } from './tools/estimate-cost.ts'
import { getAccountLimits } from './tools/get-account-limits.ts'
import { getAgentGuide } from './tools/get-agent-guide.ts'
import { getCodeExample } from './tools/get-code-example.ts'
import { getEndpointSchema } from './tools/get-endpoint-schema.ts'
import { getJob } from './tools/get-job.ts'
import { getJobResult } from './tools/get-job-result.ts'
import { getUsageSummary } from './tools/get-usage-summary.ts'
import { listApiKeys } from './tools/list-api-keys.ts'
import { listEndpoints } from './tools/list-endpoints.ts'
import { listJobs } from './tools/list-jobs.ts'
import { listWorkflows } from './tools/list-workflows.ts'
import { planIntegration } from './tools/plan-integration.ts'
import { regenerateOutputUrl } from './tools/regenerate-output-url.ts'
import { revokeApiKey } from './tools/revoke-api-key.ts'
import { runAgentDiagnostics } from './tools/run-agent-diagnostics.ts'
import { setSpendCap } from './tools/set-spend-cap.ts'

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  getAgentGuide,
  listEndpoints,
  getEndpointSchema,
  estimateCost,
  listWorkflows,
  planIntegration,
  getCodeExample,
  checkJobReadiness,
  runAgentDiagnostics,
  createWorkflowJob,
  continueWorkflowJob,
  createUpload,
  createJobTool,
  getJob,
  getJobResult,
  listJobs,
  getUsageSummary,
  getAccountLimits,
  setSpendCap,
  createBillingLink,
  regenerateOutputUrl,
  listApiKeys,
  createApiKey,
  revokeApiKey,
]
