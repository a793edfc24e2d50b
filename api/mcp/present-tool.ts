import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import type { Tool } from './define-tool.ts'

/** A tool as in `tools/list`. */
export function presentTool(config: Pick<Config, 'TOOL_PREFIX'>, tool: Tool): ListedTool {
  return {
    name: publicName(config, tool),
    title: tool.title,
    description: withPrefix(config, tool.description),
    inputSchema: objectSchema(config, tool.input, 'input'),
    outputSchema: objectSchema(config, tool.output, 'output'),
    annotations: { title: tool.title, ...tool.annotations },
  }
}

const objectDocument = z.looseObject({ type: z.literal('object') })

function objectSchema(config: Pick<Config, 'TOOL_PREFIX'>, schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io })
  return objectDocument.parse(JSON.parse(withPrefix(config, JSON.stringify(document))))
}

type Prefix = Pick<Config, 'TOOL_PREFIX'>

export function publicName({ TOOL_PREFIX }: Prefix, { name }: Pick<Tool, 'name'>): string {
  return `${TOOL_PREFIX}${name}`
}

/** Replaces `svc.` in the tool names of declarations and texts by the configured prefix. */
export function withPrefix({ TOOL_PREFIX }: Prefix, text: string): string {
  return TOOL_PREFIX === 'svc.' ? text : text.replaceAll(/\bsvc\.(?=[a-z])/g, () => TOOL_PREFIX)
}

/** Newest of each generation first, which the server offers to a client that requests an unknown version. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'] as const

export const serverName = 'media-timeline'
export const serverTitle = 'Media Timeline'
