import type { CallToolResult } from '@modelcontextprotocol/server'
import { errorBodyOf, isServerFault, toServiceError } from '../http/errors.ts'
import type { FileLink, Tool, ToolAnswer, ToolCall } from './define-tool.ts'

/** Never rejects: a failure is a result with `isError` and the ErrorBody. */
export async function callTool(tool: Tool, given: unknown, call: ToolCall): Promise<CallToolResult> {
  try {
    return presentAnswer(await tool.call(given, call), call)
  } catch (thrown) {
    return presentFailure(thrown, tool, call)
  }
}

function presentAnswer(
  { structured, text, links = [] }: ToolAnswer<CallToolResult['structuredContent']>,
  call: ToolCall,
) {
  return {
    // Repeats the JSON as text, for clients that show only texts to their model.
    content: [textOf(call.named(text)), textOf(JSON.stringify(structured)), ...links.map(presentLink)],
    structuredContent: structured,
  }
}

function textOf(text: string) {
  return { type: 'text' as const, text }
}

function presentLink({ url: uri, name, contentType: mimeType, bytes: size }: FileLink) {
  return { type: 'resource_link' as const, uri, name, mimeType, size }
}

function presentFailure(thrown: unknown, { name }: Tool, { context, requestId, log }: ToolCall): CallToolResult {
  const error = toServiceError(thrown instanceof Error ? thrown : new Error('not an Error', { cause: thrown }))
  const { code, message, retryAfterSeconds } = error
  if (isServerFault(code)) log.error({ code, tool: name, err: error.cause ?? error }, 'tool failed')
  const retry = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} seconds.`
  return {
    isError: true,
    content: [textOf(`${code}: ${message}${retry}`)],
    structuredContent: { error: errorBodyOf(context.config, error, requestId) },
  }
}
