import { randomBytes } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import type { ApiContext, App } from '../http/context.ts'
import { pagePolicy } from '../http/html.ts'
import { errorsPage, errorsStyle } from './errors-page.ts'
import { llmsText } from './llms.ts'
import { openApiDocument } from './openapi.ts'

const noncePlaceholder = 'nonce-of-this-response'

/** `GET /`, `/openapi.json`, `/llms.txt`, `/docs` (the reference) and `/docs/errors`. The service serves all files itself. */
export async function docsRoutes(app: App, { config, models }: Pick<ApiContext, 'config' | 'models'>): Promise<void> {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 302))

  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app, config))
    return reply.type('application/json; charset=utf-8').send(document)
  })

  const summary = llmsText(config, models)
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(summary),
  )

  const page = errorsPage()
  app.get('/docs/errors', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-security-policy', pagePolicy({ style: errorsStyle }))
      .type('text/html; charset=utf-8')
      .send(page),
  )

  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
      if (!isPage) reply.header('cache-control', 'public, max-age=3600')
      if (!isPage || typeof payload !== 'string') return payload
      const nonce = randomBytes(16).toString('base64')
      reply.header('content-security-policy', referencePolicy(nonce))
      return payload.replaceAll(noncePlaceholder, nonce)
    })
    await scope.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Media Timeline API',
        nonce: noncePlaceholder,
        withDefaultFonts: false,
        telemetry: false,
        showDeveloperTools: 'never',
        // Features that would need another company's server.
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        // `end` refers to `start`, which comes first.
        orderSchemaPropertiesBy: 'preserve',
        // The document has samples that run; generated ones do not.
        hiddenClients: true,
        authentication: { preferredSecurityScheme: 'ApiKey' },
      },
    })
  })
}

function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The reference adds styles without a nonce. Its page shows nothing but the service's own document.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
