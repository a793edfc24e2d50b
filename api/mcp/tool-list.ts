import type { Tool } from './define-tool.ts'
import { cancelJobTool } from './tools/cancel-job.ts'
import { checkJobReadinessTool } from './tools/check-job-readiness.ts'
import { continueWorkflowJobTool } from './tools/continue-workflow-job.ts'
import { createApiKeyTool } from './tools/create-api-key.ts'
import { createBillingLinkTool } from './tools/create-billing-link.ts'
import { createJobTool } from './tools/create-job.ts'
import { createUploadTool } from './tools/create-upload.ts'
import { createWorkflowJobTool } from './tools/create-workflow-job.ts'
import { estimateCostTool } from './tools/estimate-cost.ts'
import { getAccountLimitsTool } from './tools/get-account-limits.ts'
import { getAgentGuideTool } from './tools/get-agent-guide.ts'
import { getCodeExampleTool } from './tools/get-code-example.ts'
import { getEndpointSchemaTool } from './tools/get-endpoint-schema.ts'
import { getJobTool } from './tools/get-job.ts'
import { getJobResultTool } from './tools/get-job-result.ts'
import { getUsageSummaryTool } from './tools/get-usage-summary.ts'
import { listApiKeysTool } from './tools/list-api-keys.ts'
import { listEndpointsTool } from './tools/list-endpoints.ts'
import { listJobsTool } from './tools/list-jobs.ts'
import { listUploadsTool } from './tools/list-uploads.ts'
import { listWorkflowsTool } from './tools/list-workflows.ts'
import { planIntegrationTool } from './tools/plan-integration.ts'
import { regenerateOutputUrlTool } from './tools/regenerate-output-url.ts'
import { revokeApiKeyTool } from './tools/revoke-api-key.ts'
import { runAgentDiagnosticsTool } from './tools/run-agent-diagnostics.ts'
import { setSpendCapTool } from './tools/set-spend-cap.ts'

/** Every tool, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  getAgentGuideTool,
  listEndpointsTool,
  getEndpointSchemaTool,
  estimateCostTool,
  listWorkflowsTool,
  planIntegrationTool,
  getCodeExampleTool,
  checkJobReadinessTool,
  runAgentDiagnosticsTool,
  createWorkflowJobTool,
  continueWorkflowJobTool,
  createUploadTool,
  listUploadsTool,
  createJobTool,
  getJobTool,
  getJobResultTool,
  cancelJobTool,
  listJobsTool,
  getUsageSummaryTool,
  getAccountLimitsTool,
  setSpendCapTool,
  createBillingLinkTool,
  regenerateOutputUrlTool,
  listApiKeysTool,
  createApiKeyTool,
  revokeApiKeyTool,
]
