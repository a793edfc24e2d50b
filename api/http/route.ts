import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchema,
  FastifySchemaCompiler,
  HTTPMethods,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'
import { isUsd, maxUsd } from '../../src/core/money.ts'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'
import type { ApiContext, App } from './context.ts'
import { type ErrorBody, errorHandler } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly takesConnectors?: boolean
  }
}

/** Who calls a route of each scope. */
interface Callers {
  /** Anybody, as often as they like. */
  readonly unlimited: object
  /** Anybody, within the limit of their address. */
  readonly public: object
  /** A page under BASE_URL. Its routes read the session cookie themselves, where there is one. */
  readonly session: object
  /** Anybody, or an account by its key or by its owner's session. */
  readonly optionalKey: { readonly credential: Credential | undefined }
  /** An account by one of its keys, or by its owner's session, which may do what a key of the scope `all` may. */
  readonly key: { readonly credential: Credential }
  /** An account by a key of the scope `all`, or by its owner's session. */
  readonly account: { readonly account: Credential }
  /** An account by its owner's session only, because the route gives others access to it. */
  readonly owner: { readonly account: Credential }
}

export type Scope = keyof Callers

export type Caller<S extends Scope> = Callers[S]

/** What a handler receives besides the request. */
export type Call<S extends Scope> = { readonly context: ApiContext } & Caller<S>

/** A route as data. Its types are known inside only, so that a list can hold routes of all schemas. */
export interface Route<S extends Scope> {
  readonly register: (app: App, context: ApiContext, callerOf: (request: object) => Caller<S>) => void
}

/** Routes that share hooks or body parsers of their own. */
export type RouteGroup = (app: App, context: ApiContext) => Promise<void>

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  ZodTypeProvider,
  FastifyBaseLogger
>
type Request<Schema extends FastifySchema> = Parameters<Handler<Schema>>[0]
type Reply<Schema extends FastifySchema> = Parameters<Handler<Schema>>[1]

interface Declaration<S extends Scope, Schema extends FastifySchema> {
  readonly method: HTTPMethods
  readonly url: string
  readonly schema: Schema
  readonly handler: (
    request: Request<Schema>,
    call: Call<S> & { readonly reply: Reply<Schema> },
  ) => ReturnType<Handler<Schema>>
  /** Runs before the body is read; throws to refuse the request. */
  readonly beforeBody?: (request: Request<Schema>, call: Call<S>) => Promise<void>
  /** Whether the token of a connector opens it too: for what the answers of tools name. */
  readonly takesConnectors?: true
  /** The page that a browser shows for an error of this route. */
  readonly errorPage?: (error: ErrorBody) => string
}

/** OpenAPI's names of what a caller shows: any of the list, where `{}` is nothing. */
type Security = readonly { readonly ApiKey?: readonly []; readonly Session?: readonly [] }[]

const keyOrSession: Security = [{ ApiKey: [] }, { Session: [] }]

/** The routes of a scope. Their schemas say `security` themselves only where the scope does not decide it. */
function routeIn<S extends Scope>(security?: Security) {
  return <const Schema extends FastifySchema>(declaration: Declaration<S, Schema>): Route<S> => ({
    register: (app, context, callerOf) => {
      const { method, url, schema, handler, beforeBody, errorPage, takesConnectors = false } = declaration
      const callOf = (request: object): Call<S> => ({ context, ...callerOf(request) })
      app.route<RouteGenericInterface, ContextConfigDefault, Schema>({
        method,
        url,
        schema: { ...schema, ...(security && { security }) },
        config: { takesConnectors },
        ...(beforeBody ? { preParsing: async (request) => beforeBody(request, callOf(request)) } : {}),
        ...(errorPage ? { errorHandler: errorHandler(context.config, { pageFor: errorPage }) } : {}),
        handler: (request, reply) => handler(request, { ...callOf(request), reply }),
      })
    },
  })
}

export const unlimitedRoute = routeIn<'unlimited'>([])
export const publicRoute = routeIn<'public'>([])
export const sessionRoute = routeIn<'session'>()
export const optionalKeyRoute = routeIn<'optionalKey'>([{}, ...keyOrSession])
export const keyRoute = routeIn<'key'>(keyOrSession)
export const accountRoute = routeIn<'account'>(keyOrSession)
export const ownerRoute = routeIn<'owner'>([{ Session: [] }])

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

export const requestId = z.string().describe('Also in the x-request-id header. Quote it when you report a problem.')

/** What a request is answered with, by its name in the OpenAPI document. */
export function response<Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields) {
  return z.object({ request_id: requestId, ...fields }).meta({ id })
}

export const errorBody = z
  .object({
    code: z.string().describe('A code of the error table.'),
    message: z.string().describe('What to do next.'),
    request_id: requestId,
    docs_url: z.url().optional(),
    job_id: z.string().optional().describe('The job that the error is about, if there is one.'),
  })
  .meta({ id: 'ErrorBody' })

export const errorEnvelope = z.object({ error: errorBody }).meta({ id: 'ErrorEnvelope' })

/** The errors of every route. */
export const anyErrors = { 400: errorEnvelope, 429: errorEnvelope, 500: errorEnvelope, 503: errorEnvelope }

/** The errors of every route with a key or a session. */
export const keyErrors = { ...anyErrors, 401: errorEnvelope, 403: errorEnvelope }

/** The errors of such a route with a JSON body. */
export const bodyErrors = { ...keyErrors, 413: errorEnvelope, 415: errorEnvelope }

/** A name that a person chooses: one line that can be shown, stored and mailed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u, 'must not contain control characters')

/** A caller's amount in dollars, valid for `fromUsd`. */
export const amountUsd = z
  .number()
  .min(0, { abort: true })
  .max(maxUsd, { abort: true })
  .refine(isUsd, { error: 'expected dollars with at most six decimals', abort: true })

/** The name of a file, as filters take it. */
export const mediaName = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => isPostgresText(JSON.stringify(text)), notPostgresText)
