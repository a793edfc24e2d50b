import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'

/** Validates requests by the schemas of their routes. An unknown query parameter of the API is refused. */
export function validateRequests(app: FastifyInstance): void {
  app.setValidatorCompiler(compile)
  app.addHook('onRoute', ({ url, schema }) => {
    if (schema && /^\/(v1|api\/dashboard)\//.test(url)) schema.querystring ??= z.object({})
  })
}

/** What callers call the parts of a request. */
const partNames: Readonly<Record<string, string>> = { querystring: 'query' }

const compile: FastifySchemaCompiler<z.ZodType> = ({ schema: declared, httpPart = 'request' }) => {
  const isQuery = httpPart === 'querystring'
  const schema = isQuery ? strictQuery(declared) : declared
  return (given: unknown) => {
    const parsed = schema.safeParse(isQuery ? nestParameters(given) : given, { reportInput: true })
    if (parsed.success) return { value: parsed.data }
    const isMissing = httpPart === 'body' && (given === undefined || given === null)
    if (isMissing) return { error: new ServiceError('invalid_request', 'The request has no body. Send a JSON object.') }
    const message = describeIssues(parsed.error.issues, partNames[httpPart] ?? httpPart)
    return { error: new ServiceError('invalid_request', message) }
  }
}

/** Refuses unknown parameters, unless the schema is a loose object: other services can add parameters to the links in mails. */
function strictQuery(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject && !schema.def.catchall
    ? strictFields(schema.shape, { kind: 'parameter', placeOf: (name) => nestedFormOf(name, schema.shape) })
    : schema
}

/** `metadata.episode` and `metadata:episode` are meant as `metadata[episode]`. */
function nestedFormOf(name: string, known: object): string | undefined {
  const [, object = '', key] = /^(\w+)[.:/[]+([^[\]]{1,40})\]?$/.exec(name) ?? []
  return key !== undefined && Object.hasOwn(known, object)
    ? `unknown parameter ${JSON.stringify(name)}. Did you mean ${object}[${key}]?`
    : undefined
}

/** Zod would drop a key `__proto__`, and with it the filter: such a parameter stays unknown. */
const nestedName = /^(\w+)\[(?!__proto__\])([^[\]]+)\]$/

/** A query in which `metadata[episode]=12` is a field of the object `metadata`: OpenAPI's style deepObject. */
function nestParameters(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const nested = new Map<string, [string, unknown][]>()
  const plain: [string, unknown][] = []
  for (const [name, value] of Object.entries(given)) {
    const [, object, key] = nestedName.exec(name) ?? []
    if (object === undefined || key === undefined) plain.push([name, value])
    else nested.set(object, [...(nested.get(object) ?? []), [key, value]])
  }
  const objects = [...nested].map(([name, fields]) => [name, Object.fromEntries(fields)])
  return Object.fromEntries([...objects, ...plain])
}
