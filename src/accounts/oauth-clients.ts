import { z } from 'zod'
import { isLoopback } from '../core/urls.ts'

/** An OAuth client that the operator approved. It is public: PKCE and exact redirect addresses stand in for a secret. */
export interface OAuthClient {
  /** A name, or the https address of the client's metadata document. */
  readonly id: string
  /** What people read before they approve it. */
  readonly name: string
  readonly redirectUris: readonly string[]
}

/**
 * The command `media-timeline`, which every service approves. Its code is exchanged for an API key, and it listens for the code on any
 * port of the machine that it runs on (RFC 8252, 7.3).
 */
export const commandClient: OAuthClient = {
  ...{ id: 'media-timeline', name: 'media-timeline' },
  redirectUris: ['http://127.0.0.1/callback'],
}

/** Whether a client may be answered at the address: exactly one of its own, but for the port of the command. */
export function isRegistered(client: OAuthClient, redirectUri: string): boolean {
  if (client !== commandClient) return client.redirectUris.includes(redirectUri)
  if (!URL.canParse(redirectUri)) return false
  const url = new URL(redirectUri)
  url.port = ''
  return client.redirectUris.includes(url.href)
}

/** Connectors of other clients, and keys that these created, are refused. */
export function approvedClientIdsOf({ OAUTH_CLIENTS }: { readonly OAUTH_CLIENTS: readonly OAuthClient[] }): string[] {
  return [commandClient, ...OAUTH_CLIENTS].map(({ id }) => id)
}

/** Whether the operator approved an OAuth client: otherwise OAuth is off. */
export function hasOAuthClients({ OAUTH_CLIENTS }: { readonly OAUTH_CLIENTS: readonly OAuthClient[] }): boolean {
  return OAUTH_CLIENTS.length > 0
}

const clientDocument = z.object({ client_id: z.string(), redirect_uris: z.array(z.string()) })

/** What the service reads of a client's metadata document. */
export type ClientDocument = z.output<typeof clientDocument>
export type ReadClientDocument = (url: URL) => Promise<ClientDocument>

/** Throws for a text that is not such a document. */
export function parseClientDocument(text: string): ClientDocument {
  return clientDocument.parse(JSON.parse(text))
}

const clientId = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/, 'must be 1 to 300 visible characters')
  .refine(isNameOrDocument, 'must be a name, or the https address of a metadata document, with a path')
  .refine((id) => id !== commandClient.id, 'must be another name: this one is that of the command')

/** An http address is for programs on the user's own machine (RFC 8252, 7.3). */
const redirectUri = z.string().refine(isRedirectUri, {
  error:
    'must be an https address, or an http address of this machine such as http://127.0.0.1:8765/callback, without a fragment',
})

const client = z.strictObject({
  client_id: clientId,
  client_name: z
    .string()
    .trim()
    .regex(/^\P{C}{1,80}$/u, 'must be a name of at most 80 characters'),
  redirect_uris: z.array(redirectUri).min(1),
})

const example =
  '[{"client_id":"desk-agent","client_name":"Desk Agent","redirect_uris":["http://127.0.0.1:8765/callback"]}]'

/** The value of OAUTH_CLIENTS: a JSON array in the names of RFC 7591. */
export const oauthClients = z
  .string()
  .transform((text, { issues }) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      issues.push({ code: 'custom', input: text, message: `must be JSON, such as ${example}` })
      return []
    }
  })
  .pipe(z.array(client, { error: `must be a JSON array, such as ${example}` }))
  .refine((clients) => new Set(clients.map((one) => one.client_id)).size === clients.length, 'has a client_id twice')
  .transform((clients) =>
    clients.map(
      ({ client_id: id, client_name: name, redirect_uris: redirectUris }): OAuthClient => ({ id, name, redirectUris }),
    ),
  )

/** Whether the id is the address of the client's metadata document. */
export function isDocumentId(id: string): boolean {
  return id.startsWith('https://')
}

function isNameOrDocument(id: string): boolean {
  if (!/^https?:/i.test(id)) return true
  if (!isDocumentId(id) || !URL.canParse(id)) return false
  const { pathname, hash, username, password } = new URL(id)
  return pathname !== '/' && hash === '' && username === '' && password === ''
}

function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const url = new URL(text)
  if (url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}
