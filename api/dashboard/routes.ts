import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { storageAddress } from '../../src/storage/storage-address.ts'
import { hasSessionCookie } from '../http/authenticate.ts'
import type { ApiContext, App, BuiltAsset, BuiltPages } from '../http/context.ts'

/** The pages that need no session. */
const visitorPages = ['/dashboard/sign-in', '/dashboard/sign-up', '/dashboard/forgot-password']

const noncePlaceholder = 'nonce-of-this-response'
const schema = { hide: true }
const assetParams = z.object({ name: z.string().max(200) })

/** `GET /dashboard/…`: every page is the same document, whose script shows it, or that there is no such page. */
export async function dashboardRoutes(
  app: App,
  { config, pages }: Pick<ApiContext, 'config' | 'pages'>,
): Promise<void> {
  if (!pages) return
  const { index, assets } = pages
  const storage = storageAddress(config)

  const sendIndex = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({ 'content-security-policy': dashboardPolicy(nonce, storage), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(index.replaceAll(noncePlaceholder, nonce))
  }
  const servePage = async (request: FastifyRequest, reply: FastifyReply) => {
    const elsewhere = baseElsewhere(config, request)
    if (elsewhere) return reply.redirect(elsewhere, 302)
    const { pathname } = new URL(request.url, config.BASE_URL)
    // The script would ask for the session, whose absence browsers report as an error.
    if (visitorPages.includes(pathname) || hasSessionCookie(request)) return sendIndex(reply)
    const page = pathname.slice('/dashboard'.length) || '/'
    return reply.redirect(`/dashboard/sign-in?next=${encodeURIComponent(page)}`, 302)
  }
  app.get('/dashboard', { schema }, servePage)
  app.get('/dashboard/', { schema }, async (_request, reply) => reply.redirect('/dashboard', 302))
  app.get('/dashboard/*', { schema }, servePage)

  app.get('/dashboard/assets/:name', { schema: { ...schema, params: assetParams } }, async (request, reply) => {
    const asset = assets.get(request.params.name)
    if (!asset) throw new ServiceError('not_found')
    const isGzipped = request.headers['accept-encoding']?.includes('gzip') ?? false
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
      })
      .type(asset.type)
      .send(isGzipped ? asset.gzipped : asset.content)
  })
}

/** Files of this service and of its storage only, and those that a person chooses (blob:). The nonce is for the style element of an open dialog. */
function dashboardPolicy(nonce: string, storage: URL | undefined): string {
  const files = ["'self'", ...(storage ? [storage.href] : [])]
  // Uploads in parts go to another path of the storage.
  const connections = ["'self'", ...(storage ? [storage.origin] : [])]
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${files.join(' ')}`,
    `media-src ${files.join(' ')} blob:`,
    `connect-src ${connections.join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The address under BASE_URL, where sessions are, of a page that was asked for under another known name, such as localhost. */
function baseElsewhere(
  config: Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL'>,
  request: FastifyRequest,
): string | undefined {
  const base = new URL(config.BASE_URL)
  const isLoopback = isLoopbackName(request.hostname) && isLoopbackName(base.hostname)
  const isFallback = config.FALLBACK_BASE_URL !== undefined && new URL(config.FALLBACK_BASE_URL).host === request.host
  return request.host !== base.host && (isLoopback || isFallback) ? new URL(request.url, base).href : undefined
}

function isLoopbackName(name: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(name)
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
}

/** Undefined if nothing was built: a service that runs from its sources has no dashboard. */
export async function readBuiltPages(folder: string): Promise<BuiltPages | undefined> {
  const index = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (index === undefined) return undefined
  const linked = await readFile(path.join(folder, 'linked.html'), 'utf8')
  const assetsFolder = path.join(folder, 'assets')
  const names = await readdir(assetsFolder)
  const assets = await Promise.all(names.map(async (name) => [name, await readAsset(assetsFolder, name)] as const))
  const timeline = await readFile(path.join(folder, 'chat', 'chat.html'), 'utf8').catch(() => undefined)
  return { index, linked, assets: new Map(assets), timeline }
}

async function readAsset(folder: string, name: string): Promise<BuiltAsset> {
  const type = types[path.extname(name)]
  if (!type) throw new Error(`the dashboard has a file of an unknown type: ${name}`)
  const content = await readFile(path.join(folder, name))
  return { type, content, gzipped: await promisify(gzip)(content) }
}
