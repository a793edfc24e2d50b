import { OAuthError } from '../../src/accounts/oauth-error.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import {
  type ClientDocument,
  hasOAuthClients,
  isDocumentId,
  type OAuthClient,
  type ReadClientDocument,
} from '../../src/core/oauth-clients.ts'

type Clients = Pick<Config, 'OAUTH_CLIENTS'>

/** Throws `server_error` while no client is configured. */
export function assertConfigured(config: Clients): void {
  if (hasOAuthClients(config)) return
  throw new ServiceError('server_error', 'Sign-in for connectors is not configured on this service. Use an API key.')
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
