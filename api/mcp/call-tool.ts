import type { CallToolResult } from '@modelcontextprotocol/server'
import { counted, showHidden } from '../../src/core/text.ts'
import { errorBodyOf, isServerFault, toServiceError } from '../http/errors.ts'
import type { FileLink, Tool, ToolAnswer, ToolCall } from './define-tool.ts'
import { inTools } from './tool-wording.ts'

/** Never rejects: a failure is a result with `isError`, and the ErrorBody as `error` of `_meta`. */
export async function callTool(tool: Tool, given: unknown, call: ToolCall): Promise<CallToolResult> {
  try {
    return presentAnswer(await tool.call(given, call), call)
  } catch (thrown) {
    return presentFailure(thrown, tool, call)
  }
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
  { name }: Tool,
  { context, requestId, log, named, onScopeDenied }: ToolCall,
): CallToolResult {
  const error = toServiceError(thrown instanceof Error ? thrown : new Error('not an Error', { cause: thrown }))
  const { code, jobId, retryAfterSeconds } = error
  const message = named(inTools(error.message))
  if (code === 'connector_scope_denied') onScopeDenied(error)
  if (isServerFault(code)) log.error({ code, tool: name, err: error.cause ?? error }, 'tool failed')
  const retry = retryAfterSeconds === undefined ? '' : ` Try again in ${counted(retryAfterSeconds, 'second')}.`
  return {
    isError: true,
    content: [textOf(`${code}: ${message}${retry}`)],
    // Some clients check structured content against the output schema even then, and would show only that it does not match.
    _meta: asData({ error: errorBodyOf(context.config, { code, message, jobId }, requestId) }),
  }
}
