import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Credential } from '../../src/accounts/credentials.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { nearestName } from '../../src/core/input-problems.ts'
import { counted, quoted, showHidden } from '../../src/core/text.ts'
import { createTurns } from '../../src/core/turns.ts'
import { exportAt } from '../exports/routes.ts'
import type { ApiContext } from '../http/context.ts'
import { apiVersion, errorBodyOf, isServerFault, toServiceError } from '../http/errors.ts'
import {
  type FileLink,
  inTools,
  type KeyCall,
  type Progress,
  presentTool,
  protocolVersions,
  publicName,
  serverName,
  serverTitle,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  timelineUri,
  withPrefix,
} from './define-tool.ts'
import {
  asksUser,
  cancelTask,
  type FoundTask,
  findTask,
  takesTasks,
  taskParams,
  tasksExtension,
  tasksNotDeclared,
  updateTask,
} from './tasks.ts'
import { appsExtension, listedApp, readApp } from './timeline-app.ts'
import { tools } from './tool-list.ts'

/** The sender of a request, and the dependencies of its calls. */
export type ToolCaller = Pick<
  ToolCall,
  'requestId' | 'log' | 'credential' | 'signal' | 'readsStructured' | 'onScopeDenied'
> & {
  /** Whether progress is requested and can be sent. */
  readonly isStreamed: boolean
}

/** Of what everybody gets. */
const listHints = { ttlMs: 300_000, cacheScope: 'public' as const }

const instructions =
  'Finds moments in video and audio, and cuts clips, as jobs billed by use. Call svc.get_agent_guide first: it lists the tools to call, in order. svc.estimate_cost returns the price before you spend anything.'

/** Creates the server of each request. Builds the list of tools once, when this is called. */
export function createToolServers(context: ApiContext) {
  const { config } = context
  const list = { tools: tools.map((tool) => presentTool(config, tool)) }
  const byName = new Map(tools.map((tool) => [publicName(config, tool), tool]))
  const named = (text: string) => withPrefix(config, text)
  const app = listedApp(context)
  // The library starts all calls of a batch in one turn, and those without a key work on this thread until they are done.
  const ownTurn = createTurns()
  const options = {
    capabilities: { tools: {}, resources: {}, extensions: { [tasksExtension]: {}, [appsExtension]: {} } },
    instructions: named(instructions),
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: { 'tools/list': listHints, 'resources/list': listHints },
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
      const call = { ...caller, context, named, reportProgress, asksUser: asksUser(mcpReq.envelope) }
      return callTool(tool, params.arguments, call, takesTasks(mcpReq.envelope))
    })
    // Results name the others, of which there are too many to list.
    server.setRequestHandler('resources/list', () => ({ resources: app ? [app] : [] }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      if (uri === timelineUri) return { contents: [readApp(context)], ...listHints }
      const file = await answering('resources/read', { ...caller, named }, () =>
        exportAt({ context, credential: credentialOf(caller) }, uri),
      )
      const warnings = file.warnings.map((text) => ({ uri: `${uri}#warning`, mimeType: 'text/plain', text }))
      return { contents: [{ uri, mimeType: file.contentType, text: file.text }, ...warnings] }
    })
    const withTasks = async <T>(method: string, envelope: unknown, work: (call: KeyCall) => Promise<T>) => {
      if (!takesTasks(envelope)) throw tasksNotDeclared()
      const credential = credentialOf(caller)
      const asks = asksUser(envelope)
      const call = { ...caller, credential, context, named, reportProgress: async () => {}, asksUser: asks }
      return answering(method, call, () => work(call))
    }
    server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, { mcpReq }) =>
      withTasks('tasks/get', mcpReq.envelope, async (call) => presentTask(await findTask(call, taskId), call)),
    )
    server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, { mcpReq }) => {
      await withTasks('tasks/cancel', mcpReq.envelope, (call) => cancelTask(call, taskId))
      return {}
    })
    server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, { mcpReq }) => {
      // The library takes the responses out of the parameters, and leaves out those that are none.
      const { envelope, inputResponses = {} } = mcpReq
      await withTasks('tasks/update', envelope, (call) => updateTask(call, taskId, inputResponses))
      return {}
    })
    return server
  }
}

/** The route refuses requests about the data of an account without a credential. */
function credentialOf({ credential }: ToolCaller): Credential {
  if (!credential) throw new TypeError('this request needs a credential')
  return credential
}

/** What a request that calls no tool answers. The library would send the message of any error, also of our own faults. */
async function answering<T>(
  method: string,
  { log, named }: Pick<ToolCall, 'log' | 'named'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const { code, text } = failureOf(thrown, method, log)
    const isOurs = isServerFault(code)
    throw new ProtocolError(isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams, named(text))
  }
}

/** What a caller is told of a failure. Our own faults are logged. */
function failureOf(thrown: unknown, tool: string, log: ToolCaller['log']) {
  const error = toServiceError(thrown instanceof Error ? thrown : new Error('not an Error', { cause: thrown }))
  const { code, retryAfterSeconds } = error
  if (isServerFault(code)) log.error({ code, tool, err: error.cause ?? error }, 'tool failed')
  const retry = retryAfterSeconds === undefined ? '' : ` Try again in ${counted(retryAfterSeconds, 'second')}.`
  const message = inTools(error.message)
  return { error, code, message, text: `${code}: ${message}${retry}` }
}

function unknownTool(given: string, names: readonly string[]): ProtocolError {
  const nearest = nearestName(given, names)
  const advice = nearest === undefined ? 'tools/list lists the tools.' : `Did you mean ${nearest}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${quoted(given.slice(0, 100))}. ${advice}`)
}

/** Never rejects: a failure is a result with `isError`, and the ErrorBody as `error` of `_meta`. */
async function callTool(tool: Tool, given: unknown, call: ToolCall, takesTask: boolean) {
  try {
    const answer = await tool.call(given, call)
    return (takesTask && (await startedTask(answer, call))) || presentAnswer(answer, call)
  } catch (thrown) {
    return presentFailure(thrown, tool, call)
  }
}

/** Undefined where nothing goes on, or where another credential created what does. */
async function startedTask({ task }: ToolAnswer<unknown>, call: ToolCall) {
  const { credential } = call
  if (task === undefined || !credential) return undefined
  const found = await findTask({ ...call, credential }, task).catch(() => undefined)
  return found && { resultType: 'task', content: [], ...found.fields }
}

/** A task with the result of the call that began it, once there is one. */
function presentTask({ fields, inputRequests, outcome }: FoundTask, call: ToolCall) {
  if (outcome === undefined) return { ...fields, ...(inputRequests && { inputRequests }) }
  const result =
    outcome instanceof ServiceError
      ? presentFailure(outcome, { name: 'tasks/get' }, call)
      : presentAnswer(outcome, call)
  // The library adds it to the results of calls, and not inside of a task.
  return { ...fields, result: { resultType: 'complete', ...result } }
}

function presentAnswer(
  { structured, text, links = [] }: ToolAnswer<Record<string, unknown>>,
  call: ToolCall,
): CallToolResult {
  const data = asData(structured)
  return {
    content: [textOf(call.named(text)), ...(call.readsStructured ? [] : [jsonOf(data)]), ...links.map(presentLink)],
    structuredContent: data,
  }
}

/** Names and other texts from outside reach a model as quoted data, in which nothing is hidden from people. */
function asData(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, part]) => [showHidden(name), shown(part)]))
}

function shown(part: unknown): unknown {
  if (typeof part === 'string') return showHidden(part)
  if (Array.isArray(part)) return part.map((each: unknown) => shown(each))
  return typeof part === 'object' && part !== null ? asData({ ...part }) : part
}

function textOf(text: string) {
  return { type: 'text' as const, text: showHidden(text) }
}

/** Before version 2025-06-18, the protocol had no structured content. */
function jsonOf(structured: Record<string, unknown>) {
  return { type: 'text' as const, text: JSON.stringify(structured) }
}

function presentLink({ url: uri, name, contentType: mimeType, bytes: size, description }: FileLink) {
  return { type: 'resource_link' as const, uri, name: showHidden(name), mimeType, size, description }
}

function presentFailure(
  thrown: unknown,
  { name }: Pick<Tool, 'name'>,
  { context, requestId, log, named, onScopeDenied }: ToolCall,
): CallToolResult {
  const { error, code, text, ...failure } = failureOf(thrown, name, log)
  if (code === 'connector_scope_denied') onScopeDenied(error)
  const message = named(failure.message)
  return {
    isError: true,
    content: [textOf(named(text))],
    // Some clients check structured content against the output schema even then, and would show only that it does not match.
    _meta: asData({ error: errorBodyOf(context.config, { code, message, jobId: error.jobId }, requestId) }),
  }
}
