import { setMaxListeners } from 'node:events'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { createSignIn } from '../src/accounts/sign-in.ts'
import { openBillingProvider } from '../src/billing/provider/open-provider.ts'
import { newId } from '../src/core/ids.ts'
import { createKeyedQueue } from '../src/core/serial-queue.ts'
import { billingLinkRoute } from './account/billing-link.ts'
import { embeddedBillingRoutes } from './account/embedded-billing.ts'
import { createKeyRoute, listKeysRoute, renameKeyRoute, revokeKeyRoute } from './account/keys-routes.ts'
import { getLimitsRoute, setLimitsRoute } from './account/limits-routes.ts'
import { listNoticesRoute } from './account/notices-routes.ts'
import { authRoutes } from './account/sign-in/index.ts'
import { usageRoute } from './account/usage-route.ts'
import { catalogRoute } from './catalog/routes.ts'
import { openApiOptions } from './docs/openapi.ts'
import { docsRoutes } from './docs/routes.ts'
import { createHealthCheck } from './health/check.ts'
import { healthRoutes } from './health/routes.ts'
import { requireAccount, requireKey } from './http/authenticate.ts'
import { createBackground, mailIn } from './http/background-tasks.ts'
import type { ApiContext, ApiDependencies, App } from './http/context.ts'
import { errorHandler } from './http/errors.ts'
import { jsonBodyLimit, readJsonBodies } from './http/json-body.ts'
import { handleBrokenConnections, handleUnroutableRequests } from './http/malformed-requests.ts'
import { logAccess, observeRequests } from './http/observe-requests.ts'
import { limitAccounts, limitAddresses } from './http/rate-limits.ts'
import { handleUnmatchedRoutes } from './http/unmatched-routes.ts'
import { stampResponses } from './http/version.ts'
import { directPathRoutes } from './jobs/direct-paths.ts'
import { estimateRoute } from './jobs/estimate-route.ts'
import { cancelJobRoute, createJobRoute, getJobRoute, listJobsRoute, refreshOutputsRoute } from './jobs/routes.ts'
import { discoveryRoutes } from './mcp/discovery-routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { cancelRunRoute, createRunRoute, getRunRoute, listRunsRoute, listWorkflowsRoute } from './runs/routes.ts'
import { objectRoutes } from './uploads/objects-routes.ts'
import { mediaRoute, presignUploadRoute } from './uploads/routes.ts'

/** The whole API, not listening yet. Closing it ends the waits of clients early and leaves its dependencies open. */
export async function buildApp(deps: ApiDependencies): Promise<FastifyInstance> {
  const { config, logger } = deps
  const closing = new AbortController()
  // Every wait adds a listener.
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
  // A keep-alive connection would delay the server's close.
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
  listRunsRoute(withKey, context, credentialOf)
  getRunRoute(withKey, context, credentialOf)
  cancelRunRoute(withKey, context, credentialOf)
}

/** Routes of the account itself, which keys with a narrower scope cannot use. */
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
