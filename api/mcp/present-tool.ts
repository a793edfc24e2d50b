import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import type { Tool } from './define-tool.ts'
import { publicName, withPrefix } from './names.ts'

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
