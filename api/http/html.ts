import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeMarkup } from '../../src/core/text.ts'

const pageStyle = `
:root { color-scheme: light dark; --page: #f6f7f9; --surface: #fff; --ink: #14181f; --line: #7c8798; --accent: #1d4ed8; --on-accent: #fff; --danger: #b42318; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --surface: #171c24; --ink: #e9edf3; --line: #768295; --accent: #86aefc; --on-accent: #0d1626; --danger: #ff9c92; } }
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
label:has([type=checkbox], [type=radio]) { font-weight: normal; }
button { min-height: 2.75rem; padding: 0 1.25rem; cursor: pointer; }
button:first-of-type { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
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

/** `title` is text, `body` is markup. */
export function htmlPage(title: string, body: string, style = pageStyle): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}
