import { z } from 'zod'
import {
  type ClientDocument,
  hasOAuthClients,
  isDocumentId,
  type OAuthClient,
  parseClientDocument,
  type ReadClientDocument,
} from '../../src/accounts/oauth-clients.ts'
import { OAuthError } from '../../src/accounts/oauth-tokens.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import { type SourceAccess, sendRequest } from '../../src/net/send-request.ts'
import type { App } from '../http/context.ts'
import { readForms } from '../http/html.ts'

type Clients = Pick<Config, 'OAUTH_CLIENTS'>

/** Throws `not_found` while no client is configured. */
export function assertConfigured(config: Clients): void {
  if (hasOAuthClients(config)) return
  throw new ServiceError('not_found', 'Sign-in for connectors is not configured on this service. Use an API key.')
}

export function approvedClient({ OAUTH_CLIENTS }: Clients, id: string): OAuthClient | undefined {
  return OAUTH_CLIENTS.find((client) => client.id === id)
}

/** Documents are read at most once in this time, also after a failure, however many requests name their client. */
const keptMilliseconds = 60_000

/**
 * Finds approved clients for authorization requests. If the id is the address of a document, the client has the configured redirect
 * addresses that the document has too, so that its publisher can withdraw one.
 */
export function createClientLookup(config: Clients, readDocument: ReadClientDocument) {
  const kept = new Map<string, { readonly until: number; readonly document: Promise<ClientDocument> }>()
  const documentOf = (id: string): Promise<ClientDocument> => {
    const known = kept.get(id)
    if (known && Date.now() < known.until) return known.document
    const document = readDocument(new URL(id))
    kept.set(id, { until: Date.now() + keptMilliseconds, document })
    return document
  }
  return async (id: string): Promise<OAuthClient> => {
    const client = approvedClient(config, id)
    if (!client) throw new OAuthError('invalid_client', 'This client is not approved on this service.')
    if (!isDocumentId(id)) return client
    const document = await documentOf(id)
    if (document.client_id !== id) {
      throw new OAuthError('invalid_client', 'The metadata document names another client.')
    }
    return { ...client, redirectUris: client.redirectUris.filter((uri) => document.redirect_uris.includes(uri)) }
  }
}

const maxBytes = 16 * 1024
const maxMilliseconds = 5_000

/**
 * Reads the metadata document of an approved client (draft-ietf-oauth-client-id-metadata-document) with the guarded client that reads
 * media: only public addresses, pinned. Follows no redirect. Throws `invalid_request` for anything but a small JSON document.
 */
export function clientDocumentReader(access: SourceAccess): ReadClientDocument {
  return async (url) => {
    const signal = AbortSignal.timeout(maxMilliseconds)
    try {
      const { status, body, close } = await sendRequest(url, access, { accept: 'application/json' }, signal)
      try {
        if (status !== 200) throw new Error(`status ${status}`)
        return parseClientDocument(await readText(body))
      } finally {
        close()
      }
    } catch (cause) {
      throw new ServiceError(
        'invalid_request',
        'The metadata document of the client cannot be read. Try again later.',
        {
          cause,
        },
      )
    }
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

/** Room for the authorization request twice: as a form field, and percent-encoded. */
const maxFormBytes = 24 * 1024
/** An authorization request: state and redirect address can be long. */
export const maxQueryLength = 6 * 1024

/** Fields by name. A repeated one is refused, and an empty one counts as left out (RFC 6749, 3.1). */
export type Parameters = ReadonlyMap<string, string>

export function parametersOf(text: string): Parameters {
  const parameters = new Map<string, string>()
  const names = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (names.has(name)) throw new OAuthError('invalid_request', `${printable(name)} is given twice.`)
    names.add(name)
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

/** Reads the bodies of `app`, which are forms only, as `Parameters`. */
export function readParameters(app: App): void {
  app.removeAllContentTypeParsers()
  readForms(app, maxFormBytes, parametersOf)
}

const form = z.instanceof(Map<string, string>)

/** The form of a request. Throws `invalid_request` for a request without one. */
export function formOf(body: unknown): Parameters {
  const parsed = form.safeParse(body)
  if (parsed.success) return parsed.data
  throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
}

export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** The endpoint for agents under both addresses. Tokens are valid under each, whichever a client names (RFC 8707). */
export function assertResource(config: BaseAddresses, resource: string | undefined): void {
  if (resource === undefined || basesOf(config).some((base) => resource === `${base}/mcp`)) return
  throw new OAuthError('invalid_target', `The resource is ${config.BASE_URL}/mcp.`)
}

/** The characters that an error_description may have, for text of the caller's. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\w.-]/g, '_')
}
