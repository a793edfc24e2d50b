import { randomBytes } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import { chains, isLiveChain } from '../../src/chains/chains.ts'
import type { Config } from '../../src/config.ts'
import { type ErrorRow, errorCodes, errorTable } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import { endpointsWith } from '../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../src/endpoints/define-endpoint.ts'
import type { ModelName } from '../../src/models/models.ts'
import { pricingUnits } from '../catalog/routes.ts'
import type { ApiContext, App, Guide } from '../http/context.ts'
import { htmlPage, pagePolicy, pageStyle, wantsPage } from '../http/html.ts'
import { guideStyle } from './guides.ts'
import { openApiDocument } from './openapi.ts'

const noncePlaceholder = 'nonce-of-this-response'

/** `GET /` (the way in), `/openapi.json`, `/llms.txt`, `/docs` (the reference), `/docs/errors` and the guides. The service serves all files itself. */
export async function docsRoutes(
  app: App,
  { config, models, guides = [], pages }: Pick<ApiContext, 'config' | 'models' | 'guides' | 'pages'>,
): Promise<void> {
  // People come to work, programs to read how.
  app.get('/', { schema: { hide: true } }, async (request, reply) =>
    reply.header('vary', 'accept').redirect(pages && wantsPage(request) ? '/dashboard' : '/docs/', 302),
  )

  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app, config))
    return reply.type('application/json; charset=utf-8').send(document)
  })

  const summary = llmsText(config, models, guides)
  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(summary),
  )

  const servePage = (address: string, page: string, style: string) =>
    app.get(address, { schema: { hide: true } }, async (_request, reply) =>
      reply.header('content-security-policy', pagePolicy({ style })).type('text/html; charset=utf-8').send(page),
    )
  servePage('/docs/errors', errorsPage(), errorsStyle)
  for (const { name, page } of guides) servePage(`/docs/${name}`, page, guideStyle)

  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
      if (!isPage) reply.header('cache-control', 'public, max-age=3600')
      if (!isPage || typeof payload !== 'string') return payload
      const nonce = randomBytes(16).toString('base64')
      reply.header('content-security-policy', referencePolicy(nonce))
      return withNames(payload, pages ? dashboardLinks : '').replaceAll(noncePlaceholder, nonce)
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
        customCss: `${readableColours}${wrappedPaths}${pages ? linksStyle : ''}`,
        authentication: { preferredSecurityScheme: 'ApiKey' },
      },
    })
  })
}

/** The reference's own shades are too light for its small text (WCAG 2.2, 1.4.3). */
const readableColours = `
.light-mode { --scalar-color-2: #4a5260; --scalar-color-3: #5b6472; --scalar-color-green: #0b6b3a; --scalar-color-blue: #0b57c2; --scalar-color-red: #b42318; --scalar-color-orange: #93450a; --scalar-color-yellow: #7a5600; --scalar-color-purple: #6b3fc9; }
.dark-mode { --scalar-color-2: #b4bcc8; --scalar-color-3: #a5b0c0; --scalar-color-green: #5fd39a; --scalar-color-blue: #86aefc; --scalar-color-red: #ff9c92; --scalar-color-orange: #f5b06f; --scalar-color-yellow: #ecd06f; --scalar-color-purple: #c3a6ff; }
`

/** Long paths break, because a list that scrolls sideways is out of the reach of a keyboard. */
const wrappedPaths = `
.endpoints { overflow: visible !important; }
.endpoints .endpoint { overflow-wrap: anywhere; white-space: normal; }
.endpoints .endpoint-path { min-width: 0 !important; }
`

/** Above the reference, which leaves this place free (`linksStyle`). */
const dashboardLinks =
  '<nav aria-label="Media Timeline" class="dashboard-links"><a href="/dashboard">Dashboard</a> <a href="/dashboard/sign-up">Create an account</a></nav>'

const linksStyle = `
:root { --scalar-custom-header-height: 2.75rem; }
.dashboard-links { position: sticky; top: 0; z-index: 20; display: flex; gap: 1.25rem; align-items: center; box-sizing: border-box; height: 2.75rem; padding: 0 1.25rem; border-bottom: 1px solid var(--scalar-border-color); background: var(--scalar-background-1); font: 0.875rem/1.5 var(--scalar-font, sans-serif); }
.dashboard-links a { color: var(--scalar-color-1); }
`

/** The page with its language, with these links, and with names for the buttons that the reference draws without one. */
function withNames(page: string, links: string): string {
  const nameButtons = `new MutationObserver(() => {
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy')
}).observe(document, { childList: true, subtree: true })`
  return page
    .replace('<html>', '<html lang="en">')
    .replace('<body>', `<body>${links}`)
    .replace('</head>', `<script nonce="${noncePlaceholder}">${nameButtons}</script></head>`)
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

/** The page with the error table, which `docs_url` links to. */
function errorsPage(): string {
  const rows = errorCodes.map((code) => {
    const { httpStatus, retryable, message, seen, worthRetrying }: ErrorRow = errorTable[code]
    const where = seen ?? (httpStatus === 422 ? '422, or in `job.error`' : String(httpStatus))
    const retried = worthRetrying ?? (retryable ? 'yes' : 'no')
    const shown = escapeMarkup(where).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    return `<tr id="${code}"><td><code>${code}</code></td><td>${shown}</td><td>${retried}</td><td>${escapeMarkup(message)}</td></tr>`
  })
  return htmlPage(
    'Errors',
    `<h1>Errors</h1>
<p>Every error is <code>{ "error": { "code", "message", "request_id", "docs_url", "job_id" } }</code>. The message says what to do next. <code>job_id</code> is there if the error is about a job. Name the request id when you report a problem. A failed job has its error in <code>job.error</code>, and a failed run that of its step, or its own, in <code>run.error</code>.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP status</th><th scope="col">Worth retrying</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><a href="/docs/">API reference</a></p>`,
    errorsStyle,
  )
}

/** On a phone, each error is a block instead of a row. */
const errorsStyle = `${pageStyle}
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0; }
th { white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); }
tr:target { background: color-mix(in srgb, var(--accent) 12%, transparent); }
td:first-child { font-weight: 600; white-space: nowrap; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: 0.5rem 0; }
  td { display: block; padding: 0.125rem 0; }
  td:nth-child(2)::before { content: 'HTTP status: '; }
  td:nth-child(3)::before { content: 'Worth retrying: '; }
}
`

/** `/llms.txt`: what the service does and where to read on, for models that know only the address of the service. https://llmstxt.org */
function llmsText(
  { BASE_URL: base, TOOL_PREFIX }: Pick<Config, 'BASE_URL' | 'TOOL_PREFIX'>,
  models: ReadonlySet<ModelName>,
  guides: readonly Guide[],
): string {
  const live = chains.filter((chain) => isLiveChain(chain, models))
  return `# Media Timeline

> Finds timestamped moments in video and audio, and cuts clips exact to the frame, as jobs billed by use.

Choose media: any public or signed URL, or upload a file: a small one with POST ${base}/v1/uploads as a form, others with POST ${base}/v1/uploads/presign and a PUT of the bytes.
Create a job with POST ${base}/v1/jobs, and repeat GET ${base}/v1/jobs/{job_id}?wait=20 until its status is completed or failed.
Send "Authorization: Bearer <API_KEY>". POST ${base}/v1/estimate prices a job before it is created.

## Documents
- [API reference](${base}/docs/): every operation, with curl; for endpoints and runs with programs in Node.js and Python too
- [OpenAPI](${base}/openapi.json): the same as a document
- [Errors](${base}/docs/errors): every error code and what to do
${guides.map(({ name, title, summary }) => `- [${title}](${base}/docs/${name}): ${summary}\n`).join('')}- [Catalog](${base}/v1/catalog): endpoints with settings, results, prices and limits

## Agents
- [MCP](${base}/mcp): tools over the Model Context Protocol, by POST; call ${TOOL_PREFIX}get_agent_guide first
- [Manifest](${base}/mcp/manifest): every tool with its schema

## Endpoints
${endpointsWith(models)
  .map((endpoint) => describeEndpoint(base, endpoint))
  .join('\n')}

## Chains
Run one with POST ${base}/v1/workflows/{workflow_id}/runs; [GET /v1/workflows](${base}/v1/workflows) has their prices.
${live.map(({ id, summary }) => `- ${id}: ${summary}`).join('\n')}
`
}

function describeEndpoint(base: string, endpoint: Endpoint): string {
  const { id, group, summary } = endpoint
  if (endpoint.stage === 'preview') return `- ${id}: ${summary} Does not run yet.`
  const { rateMicroUsdPerMinute, unit } = endpoint.price
  const price = unit === 'free' ? 'Free.' : `${toUsd(rateMicroUsdPerMinute)} USD for ${pricingUnits[unit]}.`
  return `- [${id}](${base}/docs/#tag/${group}/POST/v1/${id}): ${summary} ${price}`
}
