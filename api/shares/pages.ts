import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { approvedClientIdsOf } from '../../src/accounts/oauth-clients.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import { basesOf } from '../../src/core/urls.ts'
import { findSharedBy, type OpenedShare } from '../../src/shares/shares.ts'
import type { ApiContext, App } from '../http/context.ts'
import { guardLinkedPages, linkedErrors, sendLinkedPage } from '../http/linked-pages.ts'
import { createShares } from '../http/rate-limits.ts'
import { noSuchShare, presentShown } from './shown.ts'

const params = z.object({ token: z.string() })
const schema = { hide: true, params }

const oEmbedQuery = z.looseObject({
  url: z.string().max(500),
  format: z.string().max(20).default('json'),
  maxwidth: z.coerce.number().int().min(1).optional(),
  maxheight: z.coerce.number().int().min(1).optional(),
})

/** For this long, loads of a share show the same signed addresses: other storage signs each by a request of its own. */
const shownMs = 60_000
/** Of all shares together, as JSON. */
const maxShownBytes = 32 * 2 ** 20
/** Larger ones are presented for each load. */
const maxEntryBytes = 2 ** 20

/**
 * What everybody sees of a share: `/s/{token}`, its contents as JSON, its form for frames, and what oEmbed says of it. Nothing here
 * reads a cookie or changes anything. A link that shows nothing has the same 404 whatever the reason.
 */
export async function sharedRoutes(app: App, context: ApiContext): Promise<void> {
  const { config, db } = context
  const approvedClientIds = approvedClientIdsOf(config)
  guardLinkedPages(app, context, 'shares')
  // Visitors leave the reads of large results to the account.
  const results = createShares({ name: 'loads of shared results', perAccount: 2, perProcess: 4 })

  const shownLately = new LRUCache<string, Awaited<ReturnType<typeof presentShown>>, OpenedShare>({
    maxSize: maxShownBytes,
    maxEntrySize: maxEntryBytes,
    ttl: shownMs,
    ttlAutopurge: true,
    sizeCalculation: (shown) => JSON.stringify(shown).length,
    fetchMethod: (_id, _stale, { context: share }) => presentShown({ ...context, results }, share),
    ignoreFetchAbort: true,
  })
  const show = (share: OpenedShare) => shownLately.forceFetch(share.id, { context: share })

  const open = async (token: string, isMeant: (share: OpenedShare) => boolean = () => true): Promise<OpenedShare> => {
    const share = await findSharedBy(db, token, approvedClientIds)
    if (!share || !isMeant(share)) throw noSuchShare()
    return share
  }

  const asPage = { schema, errorHandler: linkedErrors(config, 'Not shared') }

  app.get('/s/:token', asPage, async ({ params: { token } }, reply) => {
    const share = await open(token)
    return sendLinkedPage(reply, context, { head: share.allowEmbed ? discoveryOf(config.BASE_URL, token) : '' })
  })

  // Frames of other sites show it, also of sites that isolate themselves.
  const framed = { frameguard: false, crossOriginResourcePolicy: { policy: 'cross-origin' as const } }
  app.get('/s/:token/embed', { ...asPage, helmet: framed }, async ({ params: { token } }, reply) => {
    await open(token, ({ allowEmbed }) => allowEmbed)
    return sendLinkedPage(reply, context, { frames: '*' })
  })

  app.get('/s/:token.json', { schema }, async (request) => {
    const share = await open(request.params.token)
    return { request_id: request.id, shared: await show(share) }
  })

  app.get('/oembed', { schema: { hide: true, querystring: oEmbedQuery } }, async ({ query }) => {
    if (query.format !== 'json') throw new ServiceError('endpoint_unavailable', 'Only format=json is answered.')
    const token = tokenIn(query.url, basesOf(config))
    const { name } = await show(await open(token, ({ allowEmbed }) => allowEmbed))
    return describeEmbed(`${config.BASE_URL}/s/${token}/embed`, name, query, config.BASE_URL)
  })
}

/** The token of exactly the address that a share has. Blank for any other. */
function tokenIn(url: string, bases: readonly string[]): string {
  const base = bases.find((each) => url.startsWith(`${each}/s/`))
  return base === undefined ? '' : url.slice(`${base}/s/`.length)
}

/** https://oembed.com, 4. */
function discoveryOf(baseUrl: string, token: string): string {
  const address = `${baseUrl}/oembed?format=json&url=${encodeURIComponent(`${baseUrl}/s/${token}`)}`
  return `<link rel="alternate" type="application/json+oembed" href="${escapeMarkup(address)}" title="Media Timeline">`
}

const largest = { width: 800, height: 560 }

interface Room {
  readonly maxwidth?: number | undefined
  readonly maxheight?: number | undefined
}

function describeEmbed(address: string, name: string, room: Room, baseUrl: string) {
  const width = Math.min(largest.width, room.maxwidth ?? largest.width)
  const height = Math.min(largest.height, room.maxheight ?? largest.height)
  const html = `<iframe src="${escapeMarkup(address)}" width="${width}" height="${height}" title="${escapeMarkup(name)}" sandbox="allow-scripts allow-same-origin" allow="fullscreen"></iframe>`
  return {
    version: '1.0',
    type: 'rich',
    title: name,
    provider_name: 'Media Timeline',
    provider_url: baseUrl,
    cache_age: 300,
    ...{ width, height, html },
  }
}
