import type { Tool } from './define-tool.ts'
import {
  createApiKeyTool,
  createBillingLinkTool,
  getAccountLimitsTool,
  getUsageSummaryTool,
  listApiKeysTool,
  revokeApiKeyTool,
  setSpendCapTool,
} from './tools/account.ts'
import { getAgentGuideTool, getCodeExampleTool, getEndpointSchemaTool, listEndpointsTool } from './tools/catalog.ts'
import { cancelJobTool, checkJobReadinessTool, createJobTool, estimateCostTool } from './tools/jobs.ts'
import { planIntegrationTool } from './tools/plan-integration.ts'
import { getJobResultTool, getJobTool, listJobsTool, regenerateOutputUrlTool } from './tools/read-jobs.ts'
import { readTimelineTool } from './tools/read-timeline.ts'
import { runAgentDiagnosticsTool } from './tools/run-agent-diagnostics.ts'
import { createShareTool } from './tools/shares.ts'
import { createUploadTool, listUploadsTool } from './tools/uploads.ts'
import { manageWebhooksTool } from './tools/webhooks.ts'
import { continueWorkflowJobTool, createWorkflowJobTool, listWorkflowsTool } from './tools/workflows.ts'

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
  createShareTool,
  listApiKeysTool,
  createApiKeyTool,
  revokeApiKeyTool,
  manageWebhooksTool,
  readTimelineTool,
]
