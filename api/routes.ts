import { billingLinkRoute, embeddedBillingRoutes, listInvoicesRoute, stripeRoutes } from './account/billing.ts'
import { createConnectorRoute, listConnectorsRoute, revokeConnectorRoute } from './account/connectors.ts'
import { deleteAccountRoute } from './account/delete.ts'
import { changeKeyRoute, createKeyRoute, listKeysRoute, revokeKeyRoute } from './account/keys.ts'
import { getLimitsRoute, setLimitsRoute } from './account/limits.ts'
import { listNoticesRoute } from './account/notices.ts'
import {
  requestPasswordResetRoute,
  resetPasswordRoute,
  sendVerificationRoute,
  verifyEmailRoute,
} from './account/sign-in/mailed-links.ts'
import { mailedPagesRoutes } from './account/sign-in/pages.ts'
import {
  changeEmailRoute,
  confirmEmailChangeRoute,
  endOtherSessionsRoute,
  endSessionRoute,
  getSessionRoute,
  listSessionsRoute,
} from './account/sign-in/sessions.ts'
import { changePasswordRoute, signInRoute, signOutRoute, signUpRoute } from './account/sign-in/sign-in.ts'
import { usageRoute } from './account/usage.ts'
import {
  cancelBatchRoute,
  createBatchRoute,
  deleteBatchRoute,
  getBatchRoute,
  listBatchesRoute,
  listBatchItemsRoute,
  retryBatchRoute,
} from './batches/batches.ts'
import {
  changeDirectiveRoute,
  createDirectiveRoute,
  deleteDirectiveRoute,
  getDirectiveRoute,
  listDirectiveItemsRoute,
  listDirectivesRoute,
} from './batches/directives.ts'
import {
  changeBrandRoute,
  createBrandRoute,
  deleteBrandRoute,
  getBrandRoute,
  listBrandsRoute,
} from './brands/brands.ts'
import { catalogRoute } from './catalog/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { exportJobRoute, exportRunRoute } from './exports/routes.ts'
import { healthRoute, readinessRoute } from './health/routes.ts'
import type { Route, RouteGroup, Scope } from './http/route.ts'
import { cancelJobRoute, deleteJobRoute, refreshOutputsRoute } from './jobs/change.ts'
import { createJobRoute, directPathRoutes } from './jobs/create.ts'
import { estimateRoute } from './jobs/estimate.ts'
import { getJobRoute, listJobsRoute } from './jobs/read.ts'
import { analyseSampleRoute } from './jobs/sample.ts'
import { searchRoute } from './jobs/search.ts'
import { previewRoute, waveformRoute, waveformTileRoute } from './jobs/waveform.ts'
import { discoveryRoutes } from './mcp/discovery.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { commandLoginRoutes, oauthClientsRoute, oauthRoutes } from './oauth/routes.ts'
import {
  cancelRunRoute,
  createRunRoute,
  deleteRunRoute,
  getRunRoute,
  listRunsRoute,
  listWorkflowsRoute,
} from './runs/routes.ts'
import { sharedRoutes } from './shares/pages.ts'
import { createShareRoute, listSharesRoute, revokeShareRoute } from './shares/shares.ts'
import { streamRoute } from './stream/routes.ts'
import { uploadFormRoutes } from './uploads/form.ts'
import { signedObjectRoutes } from './uploads/objects.ts'
import {
  deleteUploadRoute,
  listUploadsRoute,
  mediaRoute,
  presignUploadRoute,
  readUploadRoute,
} from './uploads/routes.ts'
import { uploadPageRoutes } from './uploads/upload-page.ts'
import { listDeliveriesRoute, replayWebhookRoute, testWebhookRoute } from './webhooks/deliveries.ts'
import {
  changeWebhookRoute,
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  rotateSecretRoute,
} from './webhooks/endpoints.ts'
import { getEventRoute, listEventsRoute, replayEventRoute } from './webhooks/events.ts'

/** Every route by its scope, in the order in which documents list them. */
export const routes: { readonly [S in Scope]: readonly Route<S>[] } = {
  unlimited: [healthRoute, readinessRoute],
  public: [mediaRoute, catalogRoute, listWorkflowsRoute, oauthClientsRoute],
  session: [
    signUpRoute,
    signInRoute,
    signOutRoute,
    sendVerificationRoute,
    requestPasswordResetRoute,
    verifyEmailRoute,
    resetPasswordRoute,
    changePasswordRoute,
    changeEmailRoute,
    confirmEmailChangeRoute,
    getSessionRoute,
    listSessionsRoute,
    endSessionRoute,
    endOtherSessionsRoute,
    deleteAccountRoute,
  ],
  optionalKey: [estimateRoute],
  key: [
    presignUploadRoute,
    listUploadsRoute,
    readUploadRoute,
    deleteUploadRoute,
    createJobRoute,
    listJobsRoute,
    getJobRoute,
    exportJobRoute,
    cancelJobRoute,
    refreshOutputsRoute,
    deleteJobRoute,
    searchRoute,
    waveformRoute,
    waveformTileRoute,
    previewRoute,
    ...directPathRoutes,
    createRunRoute,
    listRunsRoute,
    getRunRoute,
    exportRunRoute,
    cancelRunRoute,
    deleteRunRoute,
    createBatchRoute,
    listBatchesRoute,
    getBatchRoute,
    listBatchItemsRoute,
    retryBatchRoute,
    cancelBatchRoute,
    deleteBatchRoute,
    listEventsRoute,
    listBrandsRoute,
    getBrandRoute,
    createShareRoute,
    listSharesRoute,
    revokeShareRoute,
  ],
  account: [
    createKeyRoute,
    listKeysRoute,
    changeKeyRoute,
    revokeKeyRoute,
    listNoticesRoute,
    getLimitsRoute,
    setLimitsRoute,
    usageRoute,
    billingLinkRoute,
    listInvoicesRoute,
    createDirectiveRoute,
    listDirectivesRoute,
    getDirectiveRoute,
    changeDirectiveRoute,
    deleteDirectiveRoute,
    listDirectiveItemsRoute,
    createBrandRoute,
    changeBrandRoute,
    deleteBrandRoute,
    createWebhookRoute,
    listWebhooksRoute,
    getWebhookRoute,
    changeWebhookRoute,
    deleteWebhookRoute,
    rotateSecretRoute,
    testWebhookRoute,
    listDeliveriesRoute,
    replayWebhookRoute,
    getEventRoute,
    replayEventRoute,
  ],
  owner: [createConnectorRoute, listConnectorsRoute, revokeConnectorRoute, analyseSampleRoute, streamRoute],
}

/** Public routes that need hooks or body parsers of their own: documents, the dashboard, shared pages, signed storage URLs, uploads by forms and by links, agents, billing, pages with forms, OAuth. */
export const routeGroups: readonly RouteGroup[] = [
  docsRoutes,
  dashboardRoutes,
  sharedRoutes,
  signedObjectRoutes,
  uploadFormRoutes,
  uploadPageRoutes,
  discoveryRoutes,
  mcpRoutes,
  embeddedBillingRoutes,
  stripeRoutes,
  mailedPagesRoutes,
  oauthRoutes,
  commandLoginRoutes,
]
