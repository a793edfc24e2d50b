import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeMarkup } from '../../src/core/text.ts'
import type { App } from './context.ts'
import type { ErrorBody } from './errors.ts'

export const pageStyle = `
:root { color-scheme: light dark; --page: #f6f7f9; --surface: #fff; --ink: #14181f; --quiet: #515b6b; --line: #7c8798; --accent: #1d4ed8; --on-accent: #fff; --danger: #b42318; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --surface: #171c24; --ink: #e9edf3; --quiet: #a5b0c0; --line: #768295; --accent: #86aefc; --on-accent: #0d1626; --danger: #ff9c92; } }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif; overflow-wrap: anywhere; }
a, summary { color: var(--accent); }
code { font-size: 0.95em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.25rem; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin-left: 0; }
fieldset { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
legend { font-weight: 600; }
label { display: block; margin-bottom: 0.25rem; font-weight: 600; }
input, button { border: 1px solid var(--line); border-radius: 0.375rem; background: var(--surface); color: var(--ink); font: inherit; }
input { box-sizing: border-box; padding: 0.6rem; }
input:not([type=checkbox], [type=radio]) { width: 100%; max-width: 28rem; }
label:has([type=checkbox], [type=radio]) { padding-left: 1.75rem; font-weight: normal; }
[type=checkbox], [type=radio] { float: left; width: 1.1rem; height: 1.1rem; margin: 0.2rem 0 0 -1.75rem; accent-color: var(--accent); }
button { min-height: 2.75rem; padding: 0 1.25rem; cursor: pointer; }
.button { display: inline-block; padding: 0 1.25rem; border-radius: 0.375rem; line-height: 2.75rem; text-decoration: none; }
button:first-of-type, .button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { display: flex; gap: 0.625rem; align-items: center; margin-bottom: 2rem; font-size: 1.125rem; font-weight: 600; }
header svg { width: 1.75rem; }
body:has(.card) { max-width: 30rem; }
.card { padding: 1.25rem; border: 1px solid color-mix(in srgb, var(--line) 40%, transparent); border-radius: 0.75rem; background: var(--surface); }
.card > :last-child { margin-bottom: 0; }
.card h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; }
.hint { margin-top: -0.625rem; color: var(--quiet); font-size: 0.875rem; }
@media (min-width: 40rem) { .card { padding: 2rem; } }
@media (max-width: 40rem) { button { width: 100%; margin-bottom: 0.5rem; } }
[role=alert] { padding-left: 0.75rem; border-left: 0.25rem solid var(--danger); }
`

interface PageOptions {
  readonly style?: string
  readonly script?: string | undefined
  /** Whether a form leads to another site: browsers apply form-action to the redirect after it too (w3c/webappsec-csp#8). */
  readonly formsLeave?: boolean
}

/** The Content-Security-Policy of a page that loads nothing and submits forms to this service only: one style element, at most one script. */
export function pagePolicy({ style = pageStyle, script, formsLeave = false }: PageOptions = {}): string {
  const scriptSource = script === undefined ? '' : ` script-src ${hashOf(script)};`
  const formAction = formsLeave ? '' : " form-action 'self';"
  return `default-src 'none'; style-src ${hashOf(style)};${scriptSource} base-uri 'none';${formAction} frame-ancestors 'none'`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Whether a browser asks for a page to show. */
export function wantsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Sends a page with `pageStyle` and, if there is one, this script. The page must not be cached. */
export function sendPage(reply: FastifyReply, page: string, options: Omit<PageOptions, 'style'> = {}): FastifyReply {
  return reply
    .headers({
      'content-security-policy': pagePolicy(options),
      'cache-control': 'no-store',
      // With no-referrer, a form would be sent with the origin null (fetch.spec.whatwg.org, "append a request Origin header").
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}

/** A page for people with much to read. `title` is text, `body` is markup. */
export function htmlPage(title: string, body: string, style = pageStyle): string {
  return documentOf(title, `${header}\n<main>\n${body}\n</main>`, style)
}

/** A page with one thing to do, framed like those of the dashboard for visitors. `title` is text, `body` is markup. */
export function cardPage(title: string, body: string): string {
  return documentOf(title, `${header}\n<main class="card">\n${body}\n</main>`, pageStyle)
}

/** As in web/src/icon.svg. The policy of these pages lets them load no picture. */
const logo =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M7 13v6M12 8v16M17 11v10M22 6v20M27 13v6" stroke="#fff" stroke-width="2.5" stroke-linecap="round" transform="translate(-1)"/></svg>'
const header = `<header>${logo} Media Timeline</header>`

function documentOf(title: string, content: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
${content}
</body>
</html>
`
}

/** Reads forms of at most `maxBytes` as bodies of `app`, by default as an object of their fields. */
export function readForms(
  app: App,
  maxBytes: number,
  parse: (text: string) => unknown = (text) => Object.fromEntries(new URLSearchParams(text)),
): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    async (_request: unknown, body: string) => parse(body),
  )
}

/** A field of a form that its reader does not see, as markup. */
export function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`
}

/** What a page says of an error, as markup. */
export function alertOf({ message, request_id }: ErrorBody): string {
  return `<p role="alert">${escapeMarkup(message)}<br>Request id: <code>${request_id}</code></p>`
}
