import { setMaxListeners } from 'node:events'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { createSignIn } from '../src/accounts/sign-in.ts'
import { createBackground, createKeyedQueue } from '../src/core/concurrency.ts'
import { newId } from '../src/core/ids.ts'
import { nextTurn } from '../src/core/turns.ts'
import { slotLimitsOf } from '../src/jobs/admission.ts'
import { mailIn } from '../src/mail/mailer.ts'
import { openApiOptions } from './docs/openapi.ts'
import { createHealthCheck, createSignedUrlCheck } from './health/routes.ts'
import { scopes } from './http/authenticate.ts'
import { limitBodyTime, limitConnections, serverTimeouts, watchPressure } from './http/connection-limits.ts'
import type { ApiContext, ApiDependencies, App } from './http/context.ts'
import {
  errorHandler,
  handleBrokenConnections,
  handleUnmatchedRoutes,
  handleUnroutableRequests,
  refuseRepeatedHeaders,
  stampResponses,
} from './http/errors.ts'
import { jsonBodyLimit, readJsonBodies } from './http/json-body.ts'
import { logAccess, observeRequests } from './http/observe-requests.ts'
import { createShares, limitAddresses } from './http/rate-limits.ts'
import { limitResponses } from './http/responses.ts'
import { type Scope, validateRequests } from './http/route.ts'
import { createWaveforms } from './jobs/waveform.ts'
import { routeGroups, routes } from './routes.ts'

/** The whole API, not listening yet. Closing it ends the waits of clients early and leaves its dependencies open. */
export async function buildApp(deps: ApiDependencies): Promise<FastifyInstance> {
  const { config, logger } = deps
  const closing = new AbortController()
  // Every wait adds a listener.
  setMaxListeners(0, closing.signal)
  const background = createBackground()
  const signIn = createSignIn({ ...deps, mailLater: mailIn(background, deps) })
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    bodyLimit: jsonBodyLimit,
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    return503OnClosing: false,
    http: serverTimeouts,
    clientErrorHandler: handleBrokenConnections(config, logger),
    frameworkErrors: handleUnroutableRequests(config),
  }).withTypeProvider<ZodTypeProvider>()

  const pressure = await watchPressure(app, deps)
  const checkHealth = createHealthCheck({ ...deps, pressure })
  const context: ApiContext = {
    ...deps,
    closing: closing.signal,
    createsByAccount: createKeyedQueue(),
    waveforms: createWaveforms(deps.storage, createKeyedQueue()),
    background,
    slotLimits: slotLimitsOf(config),
    signIn,
    pressure,
    // Each has up to 60 MB in memory.
    exports: createShares({ name: 'exports', perAccount: 2, perProcess: 6 }),
    // Other requests need the rest of the pool's connections.
    searches: createShares({
      name: 'searches, replays and long lists',
      perAccount: 2,
      perProcess: Math.max(1, Math.floor(0.4 * config.DATABASE_POOL_SIZE)),
    }),
    // A browser has one for all its tabs.
    streams: createShares({ name: 'streams', perAccount: 4, perProcess: 2_000 }),
    // Until one is parsed, checked and written, no other request is answered.
    results: createShares({ name: 'reads of large results', perAccount: 2, perProcess: 4 }),
    checkHealth,
    checkSignedUrl: createSignedUrlCheck(deps.storage),
  }

  validateRequests(app)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(errorHandler(config))
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onClose', () => background.settled())
  // A keep-alive connection would delay the server's close.
  app.addHook('onSend', async (_request, reply) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
  })
  limitResponses(app)
  observeRequests(app, deps)
  readJsonBodies(app)
  logAccess(app)
  stampResponses(app)
  refuseRepeatedHeaders(app)
  limitConnections(app, config)
  limitBodyTime(app.server)
  // Requests that arrived together take each step together, so that its code is still in the processor's caches.
  app.addHook('onRequest', () => nextTurn())
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.BASE_URL.startsWith('https:'),
  })
  await app.register(swagger, openApiOptions(config))
  handleUnmatchedRoutes(app, deps)

  await registerScope(app, 'unlimited')
  await app.register(async (limited) => {
    limitAddresses(limited, context)
    await registerScope(limited, 'public')
    await registerScope(limited, 'session')
    for (const group of routeGroups) await limited.register(async (scope) => group(scope, context))
    await registerScope(limited, 'optionalKey')
    await registerScope(limited, 'key')
    await registerScope(limited, 'account')
    await registerScope(limited, 'owner')
  })
  return app

  async function registerScope<S extends Scope>(parent: App, scope: S): Promise<void> {
    await parent.register(async (child) => {
      const callerOf = scopes[scope](child, context)
      for (const route of routes[scope]) route.register(child, context, callerOf)
    })
  }
}
