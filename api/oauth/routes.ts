import { z } from 'zod'
import { commandClient, hasOAuthClients, type OAuthClient } from '../../src/accounts/oauth-clients.ts'
import { OAuthError } from '../../src/accounts/oauth-tokens.ts'
import { failurePage } from '../account/sign-in/pages.ts'
import { assertOwnOrigin } from '../http/authenticate.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorHandler } from '../http/errors.ts'
import { anyErrors, errorEnvelope, publicRoute } from '../http/route.ts'
import { authorizationPages } from './authorize.ts'
import {
  approvedClient,
  assertConfigured,
  clientDocumentReader,
  createClientLookup,
  readParameters,
} from './clients.ts'
import { answerTokenError, answerTokenRequest, endConnection } from './token.ts'

const schema = { hide: true }

/** The authorization code flow: pages for the person, and endpoints for the client. */
export async function oauthRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  // Before anything else, so that a service without clients answers in the envelope of all errors.
  app.addHook('onRequest', async () => assertConfigured(config))
  readParameters(app)
  const { readClientDocument = clientDocumentReader({ allowHosts: config.MEDIA_ALLOW_HOSTS }) } = context
  const areErrorsOAuth = hasOAuthClients(config)
  const findClient = createClientLookup(config, readClientDocument)
  await app.register(async (pages) => pageRoutes(pages, context, { folder: oauthFolder, findClient, areErrorsOAuth }))
  await app.register(async (endpoints) => clientRoutes(endpoints, context))
}

/** The same flow for the command `media-timeline`, on every service. It gives an API key. */
export async function commandLoginRoutes(app: App, context: ApiContext): Promise<void> {
  readParameters(app)
  const known = (id: string) => (id === commandClient.id ? commandClient : undefined)
  const findClient = async (id: string) => {
    const client = known(id)
    if (!client) throw new OAuthError('invalid_client', 'Only the command media-timeline signs in here.')
    return client
  }
  await app.register(async (pages) =>
    pageRoutes(pages, context, { folder: commandFolder, findClient, areErrorsOAuth: true }),
  )
  await app.register(async (endpoints) => {
    endpoints.setErrorHandler(answerTokenError)
    endpoints.post(`${commandFolder}/token`, { schema }, async (request, reply) => {
      reply.header('pragma', 'no-cache')
      return answerTokenRequest(context, known, request)
    })
  })
}

const oauthFolder = '/api/auth/oauth'
const commandFolder = '/api/auth/command'

interface Pages {
  readonly folder: string
  readonly findClient: (id: string) => Promise<OAuthClient>
  readonly areErrorsOAuth: boolean
}

function pageRoutes(app: App, context: ApiContext, { folder, findClient, areErrorsOAuth }: Pages): void {
  const { config } = context
  const { open, signIn, decide } = authorizationPages(context, folder, findClient)
  if (areErrorsOAuth) app.setErrorHandler(errorHandler(config, { pageFor: failurePage }))
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, config))
  app.get(`${folder}/authorize`, { schema }, open)
  app.post(`${folder}/authorize`, { schema }, decide)
  app.post(`${folder}/sign-in`, { schema }, signIn)
}

/** Called by programs, also by pages of other sites: they read no cookie. */
function clientRoutes(app: App, context: ApiContext): void {
  if (hasOAuthClients(context.config)) app.setErrorHandler(answerTokenError)
  const known = (id: string) => approvedClient(context.config, id)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-request-id, retry-after' })
  })
  app.post('/api/auth/oauth/token', { schema }, async (request, reply) => {
    reply.header('pragma', 'no-cache')
    return answerTokenRequest(context, known, request)
  })
  app.post('/api/auth/oauth/revoke', { schema }, async (request, reply) => {
    await endConnection(context, known, request)
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
    description: 'If the operator approved no client, the response is 404 not_found.',
    response: {
      ...anyErrors,
      404: errorEnvelope,
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
