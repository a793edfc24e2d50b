import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifySchema,
  HTTPMethods,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Credential } from '../../src/store/credentials.ts'
import type { AccountCredential, ApiContext, App } from './context.ts'
import { type ErrorBody, errorHandler } from './errors.ts'

/** Who calls a route of each scope. */
interface Callers {
  /** Anybody, as often as they like. */
  readonly unlimited: object
  /** Anybody, within the limit of their address. */
  readonly public: object
  /** A page under BASE_URL. Its routes read the session cookie themselves, where there is one. */
  readonly session: object
  /** Anybody, or an account by its key. */
  readonly optionalKey: { readonly credential: Credential | undefined }
  /** An account by one of its keys. */
  readonly key: { readonly credential: Credential }
  /** An account by a key of the scope `all`, or by its owner's session. */
  readonly account: { readonly account: AccountCredential }
  /** An account by its owner's session only, because the route gives others access to it. */
  readonly owner: { readonly account: AccountCredential }
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
  /** The page that a browser shows for an error of this route. */
  readonly errorPage?: (error: ErrorBody) => string
}

function routeIn<S extends Scope>() {
  return <const Schema extends FastifySchema>(declaration: Declaration<S, Schema>): Route<S> => ({
    register: (app, context, callerOf) => {
      const { method, url, schema, handler, beforeBody, errorPage } = declaration
      const callOf = (request: object): Call<S> => ({ context, ...callerOf(request) })
      app.route<RouteGenericInterface, ContextConfigDefault, Schema>({
        method,
        url,
        schema,
        ...(beforeBody ? { preParsing: async (request) => beforeBody(request, callOf(request)) } : {}),
        ...(errorPage ? { errorHandler: errorHandler(context.config, { pageFor: errorPage }) } : {}),
        handler: (request, reply) => handler(request, { ...callOf(request), reply }),
      })
    },
  })
}

export const unlimitedRoute = routeIn<'unlimited'>()
export const publicRoute = routeIn<'public'>()
export const sessionRoute = routeIn<'session'>()
export const optionalKeyRoute = routeIn<'optionalKey'>()
export const keyRoute = routeIn<'key'>()
export const accountRoute = routeIn<'account'>()
export const ownerRoute = routeIn<'owner'>()
