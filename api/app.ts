import { setMaxListeners } from 'node:events'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { createSignIn } from '../src/accounts/sign-in.ts'
import { openBillingProvider } from '../src/billing/provider/open-provider.ts'
import { newId } from '../src/core/ids.ts'
import { logAccess } from './access-log.ts'
import { requireAccount, requireKey } from './authenticate.ts'
import { createBackground, mailIn } from './background.ts'
import { handleBrokenConnections, handleUnroutableRequests } from './broken-requests.ts'
import type { ApiContext, ApiDependencies, App } from './context.ts'
import { openApiOptions } from './docs/openapi.ts'
import { errorHandler } from './errors.ts'
import { createHealthCheck } from './health.ts'
import { createKeyedQueue } from './in-turn.ts'
import { jsonBodyLimit, readJsonBodies } from './json-body.ts'
import { discoveryRoutes } from './mcp/discovery-routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { observeRequests } from './observe-requests.ts'
import { limitAccounts, limitAddresses } from './rate-limits.ts'
import { getLimitsRoute, setLimitsRoute } from './routes/account-limits.ts'
import { authRoutes } from './routes/auth/index.ts'
import { billingLinkRoute } from './routes/billing-link.ts'
import { catalogRoute } from './routes/catalog.ts'
import { cancelJobRoute, refreshOutputsRoute } from './routes/change-jobs.ts'
import { createJobRoute } from './routes/create-job.ts'
import { directPathRoutes } from './routes/direct-paths.ts'
import { docsRoutes } from './routes/docs.ts'
import { embeddedBillingRoutes } from './routes/embedded-billing.ts'
import { estimateRoute } from './routes/estimate.ts'
import { healthRoutes } from './routes/health.ts'
import { createKeyRoute, listKeysRoute, renameKeyRoute, revokeKeyRoute } from './routes/keys.ts'
import { mediaRoute } from './routes/media.ts'
import { listNoticesRoute } from './routes/notices.ts'
import { objectRoutes } from './routes/objects.ts'
import { presignUploadRoute } from './routes/presign-upload.ts'
import { getJobRoute, listJobsRoute } from './routes/read-jobs.ts'
import { usageRoute } from './routes/usage.ts'
import { cancelRunRoute, createRunRoute, getRunRoute, listWorkflowsRoute } from './routes/workflows.ts'
import { handleUnmatchedRoutes } from './unmatched.ts'
import { stampResponses } from './version.ts'

/** The whole API, not listening yet. Closing it ends the waits of clients early; what is passed in stays open. */
export async function buildApp(deps: ApiDependencies): Promise<FastifyInstance> {
  const { config, logger } = deps
  const closing = new AbortController()
  // Every wait listens to it.
  setMaxListeners(0, closing.signal)
  const background = createBackground()
  const signIn = createSignIn({ ...deps, mailLater: mailIn(background, deps) })
  const checkHealth = createHealthCheck(deps)
  const context: ApiContext = {
    ...deps,
    closing: closing.signal,
    createsByAccount: createKeyedQueue(),
    background,
    signIn,
    checkHealth,
  }
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    bodyLimit: jsonBodyLimit,
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    return503OnClosing: false,
    clientErrorHandler: handleBrokenConnections(config, logger),
    frameworkErrors: handleUnroutableRequests(config),
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(errorHandler(config))
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onClose', () => background.settled())
  // A kept connection would keep the server from closing.
  app.addHook('onSend', async (_request, reply) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  observeRequests(app, deps)
  readJsonBodies(app)
  logAccess(app)
  stampResponses(app)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.BASE_URL.startsWith('https:'),
  })
  await app.register(swagger, openApiOptions(config))
  handleUnmatchedRoutes(app)

  await app.register(async (unlimited) => healthRoutes(unlimited, context))
  await app.register(async (perAddress) => {
    limitAddresses(perAddress, context)
    await perAddress.register(docsRoutes)
    if (deps.signer) await perAddress.register(objectRoutes, { storage: deps.storage, signer: deps.signer })
    mediaRoute(perAddress)
    catalogRoute(perAddress, context)
    listWorkflowsRoute(perAddress)
    await perAddress.register(async (pages) => authRoutes(pages, context))
    await perAddress.register(async (discovery) => discoveryRoutes(discovery, context))
    await perAddress.register(async (agents) => mcpRoutes(agents, context))
    if (config.BILLING === 'embedded') await perAddress.register(async (pages) => embeddedBillingRoutes(pages, context))
    await perAddress.register(async (mayHaveKey) => estimateRoute(mayHaveKey, context))
    await perAddress.register(async (withKey) => keyRoutes(withKey, context))
    await perAddress.register(async (ofAccount) => accountRoutes(ofAccount, context))
  })
  return app
}

function keyRoutes(withKey: App, context: ApiContext): void {
  const credentialOf = requireKey(withKey, context)
  limitAccounts(withKey, context, credentialOf)
  presignUploadRoute(withKey, context, credentialOf)
  createJobRoute(withKey, context, credentialOf)
  listJobsRoute(withKey, context, credentialOf)
  getJobRoute(withKey, context, credentialOf)
  cancelJobRoute(withKey, context, credentialOf)
  refreshOutputsRoute(withKey, context, credentialOf)
  directPathRoutes(withKey, context, credentialOf)
  createRunRoute(withKey, context, credentialOf)
  getRunRoute(withKey, context, credentialOf)
  cancelRunRoute(withKey, context, credentialOf)
}

/** The account itself: not for keys of a narrower scope. */
function accountRoutes(ofAccount: App, context: ApiContext): void {
  const accountOf = requireAccount(ofAccount, context)
  limitAccounts(ofAccount, context, accountOf)
  createKeyRoute(ofAccount, context, accountOf)
  listKeysRoute(ofAccount, context, accountOf)
  renameKeyRoute(ofAccount, context, accountOf)
  revokeKeyRoute(ofAccount, context, accountOf)
  listNoticesRoute(ofAccount, context, accountOf)
  getLimitsRoute(ofAccount, context, accountOf)
  setLimitsRoute(ofAccount, context, accountOf)
  usageRoute(ofAccount, context, accountOf)
  billingLinkRoute(ofAccount, openBillingProvider(context.config), accountOf)
}
