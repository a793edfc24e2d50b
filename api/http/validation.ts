import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'

/** Validates requests by the schemas of their routes. An unknown query parameter of the API is refused. */
export function validateRequests(app: FastifyInstance): void {
  app.setValidatorCompiler(compile)
  app.addHook('onRoute', ({ url, schema }) => {
    if (schema && url.startsWith('/v1/')) schema.querystring ??= z.object({})
  })
}

/** What callers call the parts of a request. */
const partNames: Readonly<Record<string, string>> = { querystring: 'query' }

const compile: FastifySchemaCompiler<z.ZodType> = ({ schema: declared, httpPart = 'request' }) => {
  const schema = httpPart === 'querystring' ? strictQuery(declared) : declared
  return (given: unknown) => {
    const parsed = schema.safeParse(given)
    if (parsed.success) return { value: parsed.data }
    const message = describeIssues(parsed.error.issues, partNames[httpPart] ?? httpPart)
    return { error: new ServiceError('invalid_request', message) }
  }
}

/** Unless it is a loose object: links in mails may come back with parameters of others. */
function strictQuery(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject && !schema.def.catchall ? strictFields(schema.shape, 'parameter') : schema
}
