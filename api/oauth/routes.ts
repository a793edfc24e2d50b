import { z } from 'zod'
import { hasOAuthClients } from '../../src/accounts/oauth-clients.ts'
import { failurePage } from '../account/sign-in/pages.ts'
import { assertOwnOrigin } from '../http/authenticate.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorHandler } from '../http/errors.ts'
import { anyErrors, publicRoute } from '../http/route.ts'
import { authorizationPages } from './authorize.ts'
import { assertConfigured, clientDocumentReader, createClientLookup, readParameters } from './clients.ts'
import { answerTokenError, answerTokenRequest, endConnection } from './token.ts'

const schema = { hide: true }

/** The authorization code flow: pages for the person, and endpoints for the client. */
export async function oauthRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  // Before anything else, so that a service without clients answers in the envelope of all errors.
  app.addHook('onRequest', async () => assertConfigured(config))
  readParameters(app)
  await app.register(async (pages) => pageRoutes(pages, context))
  await app.register(async (endpoints) => clientRoutes(endpoints, context))
}

function pageRoutes(app: App, context: ApiContext): void {
  const { config } = context
  const { readClientDocument = clientDocumentReader({ allowHosts: config.MEDIA_ALLOW_HOSTS }) } = context
  const { open, signIn, decide } = authorizationPages(context, createClientLookup(config, readClientDocument))
  if (hasOAuthClients(config)) app.setErrorHandler(errorHandler(config, { pageFor: failurePage }))
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, config))
  app.get('/api/auth/oauth/authorize', { schema }, open)
  app.post('/api/auth/oauth/authorize', { schema }, decide)
  app.post('/api/auth/oauth/sign-in', { schema }, signIn)
}

/** Called by programs, also by pages of other sites: they read no cookie. */
function clientRoutes(app: App, context: ApiContext): void {
  if (hasOAuthClients(context.config)) app.setErrorHandler(answerTokenError)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-request-id, retry-after' })
  })
  app.post('/api/auth/oauth/token', { schema }, async (request, reply) => {
    reply.header('pragma', 'no-cache')
    return answerTokenRequest(context, request)
  })
  app.post('/api/auth/oauth/revoke', { schema }, async (request, reply) => {
    await endConnection(context, request)
    return reply.code(200).send()
  })
  for (const path of ['token', 'revoke']) {
    app.options(`/api/auth/oauth/${path}`, { schema }, async (_request, reply) => {
      const allowed = {
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, mcp-protocol-version',
      }
      return reply
        .headers({ ...allowed, 'access-control-max-age': '600' })
        .code(204)
        .send()
    })
  }
}

/** `GET /api/auth/oauth/clients` */
export const oauthClientsRoute = publicRoute({
  method: 'GET',
  url: '/api/auth/oauth/clients',
  schema: {
    operationId: 'listOAuthClients',
    tags: ['connectors'],
    summary: 'List the OAuth clients that the operator approved',
    description: 'If the operator approved no client, the response is 500 server_error.',
    response: {
      ...anyErrors,
      200: z.object({
        request_id: z.string(),
        clients: z.array(
          z.object({ client_id: z.string(), client_name: z.string(), redirect_uris: z.array(z.string()) }),
        ),
      }),
    },
  },
  handler: async (request, { context: { config } }) => {
    assertConfigured(config)
    const clients = config.OAUTH_CLIENTS.map(({ id, name, redirectUris }) => ({
      ...{ client_id: id, client_name: name, redirect_uris: [...redirectUris] },
    }))
    return { request_id: request.id, clients }
  },
})
