import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Config } from '../../src/config.ts'
import { basesOf } from '../../src/core/urls.ts'
import { storageAddress } from '../../src/storage/storage-address.ts'
import type { ApiContext } from '../http/context.ts'
import { timelineUri } from './define-tool.ts'

// The extension for user interfaces in chats, of 2026-01-26: https://modelcontextprotocol.io/seps/1865-mcp-apps. The app is
// web/src/chat, one file without any reference, which gets all of its data by calls of tools.

export const appsExtension = 'io.modelcontextprotocol/ui'

const mimeType = 'text/html;profile=mcp-app'

/** In resources/list. Undefined if nothing was built. */
export function listedApp({ pages }: Pick<ApiContext, 'pages'>) {
  if (pages?.timeline === undefined) return undefined
  return { uri: timelineUri, name: 'timeline', title: 'Timeline of a job or a run', mimeType }
}

/** The contents of the app, under a policy that allows hosts to play media of the storage, and nothing else. */
export function readApp({ config, pages }: Pick<ApiContext, 'config' | 'pages'>) {
  if (pages?.timeline === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The pages of this service were not built.')
  const csp = { connectDomains: [], resourceDomains: mediaOrigins(config) }
  return {
    uri: timelineUri,
    mimeType,
    text: pages.timeline.replaceAll(prefixPlaceholder, () => config.TOOL_PREFIX),
    _meta: { ui: { csp, prefersBorder: true } },
  }
}

/** In the app, before the names of tools. */
const prefixPlaceholder = 'prefix-of-tools.'

function mediaOrigins(config: Config): string[] {
  const storage = storageAddress(config)
  return storage ? [storage.origin] : basesOf(config).map((base) => new URL(base).origin)
}
