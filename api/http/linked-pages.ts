import type { FastifyReply } from 'fastify'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import { storageAddress } from '../../src/storage/storage-address.ts'
import type { ApiContext, App } from './context.ts'
import { type ErrorBody, errorHandler } from './errors.ts'
import { alertOf, cardPage } from './html.ts'
import { assertFits, createAddressCounter, networkOf } from './rate-limits.ts'

// Pages that somebody opens by a link, without an account. None reads a cookie.

/** Of one network: pages that are opened by links, and what they load, in a minute. */
export const loadsPerMinute = 120

/** For all routes of `app`: no cache and no search engine keeps them, and guesses are limited. `links` says what they are of. */
export function guardLinkedPages(app: App, { db, logger }: Pick<ApiContext, 'db' | 'logger'>, links: string): void {
  const count = createAddressCounter(db, loadsPerMinute, logger)
  app.addHook('onRequest', async ({ ip }, reply) => {
    reply.headers({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    assertFits(reply, loadsPerMinute, await count(`${links} of ${networkOf(ip)}`))
  })
}

/** In place of a comment in the document. */
const headPlaceholder = '<!-- head of this response -->'

interface LinkedPage {
  /** The sites that may show it in a frame. */
  readonly frames?: "'none'" | '*'
  /** Markup for its head. */
  readonly head?: string
}

/** Sends the document whose script shows the page of its path. */
export function sendLinkedPage(
  reply: FastifyReply,
  { config, pages }: Pick<ApiContext, 'config' | 'pages'>,
  { frames = "'none'", head = '' }: LinkedPage = {},
): FastifyReply {
  if (!pages) throw new ServiceError('not_found')
  // The page may be open under another address of the service than its media.
  const storage = storageAddress(config) ?? new URL('/storage/', config.BASE_URL)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${storage.href}`,
    `media-src 'self' ${storage.href}`,
    `connect-src 'self' ${storage.origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frames}`,
  ]
  return reply
    .header('content-security-policy', policy.join('; '))
    .type('text/html; charset=utf-8')
    .send(pages.linked.replace(headPlaceholder, head))
}

/** The page of an error. That of a link without a page has no id of the request, so that all have one answer. */
export function linkedErrors(config: Pick<Config, 'BASE_URL'>, title: string) {
  const pageFor = (error: ErrorBody) =>
    error.code === 'not_found'
      ? cardPage(title, `<h1>${title}</h1><p>${escapeMarkup(error.message)}</p>`)
      : cardPage('Try again', `<h1>Try again</h1>${alertOf(error)}`)
  return errorHandler(config, { pageFor })
}
