import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import type { Tool } from './define-tool.ts'

/** A tool as in `tools/list`, which enters the context of every model that connects: schemas are as short as possible. */
export function presentTool(config: Pick<Config, 'TOOL_PREFIX'>, tool: Tool): ListedTool {
  return {
    name: publicName(config, tool),
    title: tool.title,
    description: withPrefix(config, tool.description),
    inputSchema: listed(config, withoutForms(z.toJSONSchema(tool.input, { io: 'input' }))),
    outputSchema: listed(config, outline(z.toJSONSchema(tool.output, { io: 'output' }))),
    annotations: tool.annotations,
  }
}

const objectDocument = z.looseObject({ type: z.literal('object') })

function listed(config: Prefix, schema: unknown) {
  return objectDocument.parse(JSON.parse(withPrefix(config, JSON.stringify(schema))))
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Keywords that only a machine reads. The tool itself checks its arguments. */
const forms = new Set(['$schema', 'propertyNames', 'pattern', 'minLength', 'maxLength'])

function withoutForms(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, part: unknown) => {
      // The names in there are those of fields.
      if (key === 'properties' || typeof part !== 'object' || part === null || Array.isArray(part)) return part
      return Object.fromEntries(Object.entries(part).filter(([name]) => !forms.has(name)))
    }),
  )
}

/** Two levels of an answer's fields: the first with descriptions, the second with types, and nothing below. */
function outline(root: JsonSchema): object {
  const shorten = (schema: JsonSchema, level: number): object => {
    const { type, enum: values, description, properties = {}, required, items, anyOf } = followed(root, schema)
    const isLast = level === 2
    const fields = Object.entries(properties).flatMap(([name, field]): [string, object][] =>
      isSchema(field) ? [[name, shorten(field, level + 1)]] : [],
    )
    // Undefined fields are not in the JSON.
    return {
      type,
      enum: values,
      description: isLast ? undefined : description,
      anyOf: anyOf?.map((each) => shorten(each, level)),
      items: isSchema(items) && !isLast ? shorten(items, level) : undefined,
      properties: fields.length > 0 && !isLast ? Object.fromEntries(fields) : undefined,
      required: level === 0 ? required : undefined,
    }
  }
  return shorten(root, 0)
}

function followed({ $defs = {} }: JsonSchema, { $ref, ...schema }: JsonSchema): JsonSchema {
  return { ...($ref === undefined ? {} : $defs[$ref.replace('#/$defs/', '')]), ...schema }
}

function isSchema(schema: JsonSchema['items']): schema is JsonSchema {
  return typeof schema === 'object' && !Array.isArray(schema)
}

type Prefix = Pick<Config, 'TOOL_PREFIX'>

export function publicName({ TOOL_PREFIX }: Prefix, { name }: Pick<Tool, 'name'>): string {
  return `${TOOL_PREFIX}${name}`
}

/** Replaces `svc.` in the tool names of declarations and texts by the configured prefix. */
export function withPrefix({ TOOL_PREFIX }: Prefix, text: string): string {
  return TOOL_PREFIX === 'svc.' ? text : text.replaceAll(/\bsvc\.(?=[a-z])/g, () => TOOL_PREFIX)
}

/** The newest version of each generation comes first: the server offers it to a client that requests an unknown version. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'] as const

export const serverName = 'media-timeline'
export const serverTitle = 'Media Timeline'
