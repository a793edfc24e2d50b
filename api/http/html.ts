import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeMarkup } from '../../src/core/text.ts'

const pageStyle = `
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
code { font-size: 0.95em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.25rem; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin-left: 0; }
`

/** The Content-Security-Policy of a page with one style element that loads nothing. */
export function pagePolicy(style = pageStyle): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`
}

/** Whether a browser asks for a page to show. */
export function wantsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Sends a page with `pageStyle`, which must not be cached. */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': pagePolicy(), 'cache-control': 'no-store' })
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
${body}
</body>
</html>
`
}
