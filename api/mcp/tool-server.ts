import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { nearestName } from '../../src/core/nearest-name.ts'
import { quoted } from '../../src/core/text.ts'
import { createTurns } from '../../src/core/turns.ts'
import type { ApiContext } from '../http/context.ts'
import { apiVersion } from '../http/version.ts'
import { callTool } from './call-tool.ts'
import type { Progress, ToolCall } from './define-tool.ts'
import { presentTool, protocolVersions, publicName, serverName, serverTitle, withPrefix } from './present-tool.ts'
import { tools } from './tool-list.ts'

/** The sender of a request, and the dependencies of its calls. */
export type ToolCaller = Pick<
  ToolCall,
  'requestId' | 'log' | 'credential' | 'signal' | 'readsStructured' | 'onScopeDenied'
> & {
  /** Whether progress is requested and can be sent. */
  readonly isStreamed: boolean
}

const listSeconds = 300

const instructions =
  'Finds moments in video and audio, and cuts clips, as jobs billed by use. Call svc.get_agent_guide first: it lists the tools to call, in order. svc.estimate_cost returns the price before you spend anything.'

/** Creates the server of each request. Builds the list of tools once, when this is called. */
export function createToolServers(context: ApiContext) {
  const { config } = context
  const list = { tools: tools.map((tool) => presentTool(config, tool)) }
  const byName = new Map(tools.map((tool) => [publicName(config, tool), tool]))
  const named = (text: string) => withPrefix(config, text)
  // The library starts all calls of a batch in one turn, and those without a key work on this thread until they are done.
  const ownTurn = createTurns()
  const options = {
    capabilities: { tools: {} },
    instructions: named(instructions),
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: { 'tools/list': { ttlMs: listSeconds * 1000, cacheScope: 'public' as const } },
  }
  return (caller: ToolCaller) => {
    // oxlint-disable-next-line typescript/no-deprecated -- McpServer would present every tool again for each request
    const server = new Server({ name: serverName, title: serverTitle, version: apiVersion }, options)
    server.setRequestHandler('tools/list', () => list)
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = byName.get(params.name)
      if (!tool) throw unknownTool(params.name, [...byName.keys()])
      const progressToken = caller.isStreamed ? mcpReq._meta?.progressToken : undefined
      const reportProgress = async ({ fraction, message }: Progress) => {
        if (progressToken === undefined) return
        const progress = { progressToken, progress: fraction, total: 1, message }
        await mcpReq.notify({ method: 'notifications/progress', params: progress })
      }
      await ownTurn()
      return callTool(tool, params.arguments, { ...caller, context, named, reportProgress })
    })
    return server
  }
}

function unknownTool(given: string, names: readonly string[]): ProtocolError {
  const nearest = nearestName(given, names)
  const advice = nearest === undefined ? 'tools/list lists the tools.' : `Did you mean ${nearest}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${quoted(given.slice(0, 100))}. ${advice}`)
}
