import { z } from 'zod'
import { endpoints } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { presentedResult } from '../../src/endpoints/result-files.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

export function settingsRef(endpoint: LiveEndpoint): { $ref: string } {
  return { $ref: `#/components/schemas/${componentName(endpoint)}Settings` }
}

export const endpointResultRefs = endpoints.map((endpoint) => ({
  $ref: `#/components/schemas/${componentName(endpoint)}Result`,
}))

/** The endpoints' settings and results, and what results share, as components of the OpenAPI document. */
export function endpointComponents(): Record<string, object> {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      const { $defs: shared = {}, ...result } = asComponent(resultSchema(endpoint))
      return [
        [`${componentName(endpoint)}Settings`, settingsSchema(endpoint)],
        [`${componentName(endpoint)}Result`, result],
        ...Object.entries(shared),
      ]
    }),
  )
}

const withShared = z.looseObject({ $defs: z.record(z.string(), z.looseObject({})).optional() })

function asComponent(schema: JsonSchema) {
  return withShared.parse(JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')))
}

/** The settings that callers can send: all are optional, and unknown settings cause a warning. */
export const settingsSchema = once((endpoint) => plain(z.toJSONSchema(endpoint.settings, { io: 'input' })))

/** The result that callers receive: the declared result, with output files and preview if the endpoint has them. */
export const resultSchema = once((endpoint) => plain(z.toJSONSchema(presentedResult(endpoint), { io: 'output' })))

/** The schemas of an endpoint never change, and take milliseconds to make. */
function once(make: (endpoint: LiveEndpoint) => JsonSchema): (endpoint: LiveEndpoint) => JsonSchema {
  const made = new WeakMap<LiveEndpoint, JsonSchema>()
  return (endpoint) => {
    const schema = made.get(endpoint) ?? make(endpoint)
    made.set(endpoint, schema)
    return schema
  }
}

function plain({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** `VideoClipWindow` for `video/clip-window`. */
function componentName({ id }: LiveEndpoint): string {
  return id
    .split(/[/-]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
}
