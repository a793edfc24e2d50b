import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sessionCookie } from '../../src/accounts/sign-in-options.ts'
import { type ErrorRow, errorCodes, errorTable, type RequestKind } from '../../src/core/errors.ts'
import { endpointGroups } from '../../src/core/scopes.ts'
import { upperFirst } from '../../src/core/text.ts'
import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { type EventType, eventTypes, eventVersion } from '../../src/webhooks/events.ts'
import { componentName, endpointComponents } from '../catalog/routes.ts'
import { apiVersion } from '../http/errors.ts'
import { codeSamples, exampleOfBody, formFileOf } from './code-samples.ts'

/** OpenAPI 3.1 from the routes: their schemas, and the headers of every response. */
export function openApiOptions(config: BaseAddresses): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Media Timeline API',
        // Packagers of clients accept no zeros in front.
        version: apiVersion.replaceAll('-0', '.').replace(/-(?=\d)/g, '.'),
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: basesOf(config).map((url) => ({ url })),
      tags: [
        { name: 'jobs', description: 'Create jobs, wait for them, read their results.' },
        { name: 'workflows', description: 'Plan and run chains of jobs.' },
        { name: 'uploads', description: 'Upload local files.' },
        { name: 'batches', description: 'Run a chain on many media, or on each upload that arrives.' },
        { name: 'brands', description: 'Give clips the font, the logo and the colours of a brand.' },
        { name: 'shares', description: 'Show results to others by a link.' },
        { name: 'webhooks', description: 'Be told of the end of jobs and runs, and of uploads that arrive.' },
        { name: 'keys', description: 'Create, rename and revoke API keys.' },
        { name: 'connectors', description: 'Give assistants access to the account, and take it back.' },
        { name: 'account', description: 'Limits, usage, costs and notices.' },
        { name: 'sign-in', description: "Accounts of people: sign-up, sign-in and sessions, for an owner's browser." },
        ...endpointGroups.map((name) => ({ name, description: `${upperFirst(name)} endpoints that answer directly.` })),
        { name: 'agents', description: 'The same functions, as tools for agents.' },
        { name: 'service', description: 'The endpoints that the service offers, and its state.' },
      ],
      components: {
        securitySchemes: {
          ApiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, from server-side code only. /mcp also takes the token of a connector.',
          },
          Session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: "The owner's browser, signed in. Its name begins with __Secure- behind https.",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  }
}

const description = `Finds timestamped moments in video and audio, and cuts clips exact to the frame.

1. Choose media: any public or signed URL, or upload a file: a small one with \`POST /v1/uploads\` as a form, others with \`POST /v1/uploads/presign\` and a PUT of the bytes.
2. \`POST /v1/jobs\` names an endpoint and the media.
3. \`GET /v1/jobs/{job_id}?wait=20\` until \`status\` is \`completed\` or \`failed\`; or create a webhook endpoint, which is told of the end.

Errors are one envelope; its codes are at [/docs/errors](/docs/errors). The guides begin at [/docs/jobs](/docs/jobs).`

const schemas = z.record(z.string(), z.unknown())

const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  schema: z.looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() }),
  example: z.string().optional(),
})

/** The parts of the generated document that are finished here. */
const generated = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        security: z.array(z.record(z.string(), z.unknown())).optional(),
        requestBody: z.unknown().optional(),
        parameters: z.array(parameter).optional(),
        responses: z.record(z.string(), z.looseObject({})),
      }),
    ),
  ),
  components: z.looseObject({ schemas }),
})

type Parameter = z.output<typeof parameter>

type OpenApiDocument = z.output<typeof generated>

/** The finished document of an app whose routes are registered. */
export function openApiDocument(app: FastifyInstance, config: BaseAddresses): OpenApiDocument {
  const { paths, components, ...rest } = generated.parse(app.swagger())
  const all = tellApart({ ...components.schemas, ...endpointComponents() })
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { security = [], requestBody, responses } = operation
      const takesKey = security.some((way) => 'ApiKey' in way)
      // Their callers are browsers with a session.
      const isForPages = path.startsWith('/api/auth/') || (security.length > 0 && !takesKey)
      const kinds = kindsOf(path, isForPages)
      const takesIdempotencyKey = operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false
      const finish = ([status, response]: [string, object]) =>
        finishResponse({ path, method, status, response: ofOwnEnvelope(path, response), kinds, takesIdempotencyKey })
      operation.parameters?.forEach(styleObjects)
      operation.responses = Object.fromEntries(Object.entries(responses).map(finish))
      if (isForPages) continue
      const exampleBody = exampleOfBody(requestBody, all)
      const formFile = formFileOf(requestBody, all)
      const query = requiredQuery(operation.parameters)
      const examplePath = withExamples(path, operation.parameters)
      const sampled = { method, path, examplePath, query, takesKey, exampleBody, formFile }
      operation['x-codeSamples'] = codeSamples(config, sampled)
    }
  }
  return keepReferenced({
    ...rest,
    paths,
    webhooks: webhookOperations,
    components: { ...components, schemas: all, headers },
  })
}

const headers = {
  'x-request-id': { description: 'The id of this request.', schema: { type: 'string' } },
  'x-api-version': { description: 'The version of this interface.', schema: { type: 'string', const: apiVersion } },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  'idempotent-replayed': {
    description:
      'true if an earlier request with the same Idempotency-Key created what the response shows. Otherwise missing.',
    schema: { type: 'string', const: 'true' },
  },
}

/** Says how an object is written in a query: `metadata[episode]=12`. */
function styleObjects(given: Parameter): void {
  if (given.schema.type === 'object') Object.assign(given, { style: 'deepObject', explode: true })
}

/** The query that a call cannot leave out, each with the first of its values or an example, such as `?as=csv`; otherwise nothing. */
function requiredQuery(parameters: readonly Parameter[] = []): string {
  const needed = parameters.filter((each) => each.in === 'query' && each.required)
  const pairs = needed.map(
    ({ name, schema, example }) => `${name}=${encodeURIComponent(schema.enum?.[0] ?? example ?? '')}`,
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** The path with the examples of its parameters, where they have one. */
function withExamples(path: string, parameters: readonly Parameter[] = []): string {
  return parameters
    .filter((each) => each.in === 'path')
    .reduce((filled, { name, example }) => (example ? filled.replace(`{${name}}`, example) : filled), path)
}

/** The kinds of requests to an operation, by which it meets errors. */
function kindsOf(path: string, isForPages: boolean): readonly RequestKind[] {
  if (!isForPages) return path.startsWith('/v1/workflow') ? ['key', 'run'] : ['key']
  return path.startsWith('/api/auth/') || path === '/v1/account' ? ['page', 'password'] : ['page']
}

interface DeclaredResponse {
  readonly path: string
  readonly method: string
  readonly status: string
  readonly response: object
  readonly kinds: readonly RequestKind[]
  readonly takesIdempotencyKey: boolean
}

/** Adds the error codes of the status that such requests meet, and the headers of responses. */
function finishResponse(declared: DeclaredResponse): [string, Record<string, unknown>] {
  const { path, method, status, response, kinds, takesIdempotencyKey } = declared
  const polled = path.startsWith('/v1/workflow') ? 'run' : 'job'
  // What is being deleted is 404 from now on: there is nothing to poll.
  const accepted = method === 'delete' ? 'Accepted: the service erases the rest soon.' : `Accepted: poll the ${polled}.`
  const isRepeatable = status === '429' || (status === '202' && method !== 'delete')
  const names = [
    ...['x-request-id', 'x-api-version'],
    ...(isRepeatable ? ['retry-after'] : []),
    ...(takesIdempotencyKey && status.startsWith('2') ? ['idempotent-replayed'] : []),
  ]
  const codes = errorCodes.filter((code) => {
    const { httpStatus, metBy }: ErrorRow = errorTable[code]
    return httpStatus === Number(status) && (metBy === undefined || kinds.includes(metBy))
  })
  return [
    status,
    {
      ...response,
      description: codes.map((code) => `\`${code}\``).join(', ') || (status === '202' ? accepted : 'Success.'),
      headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    },
  ]
}

const prefix = '#/components/schemas/'

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/**
 * The generator writes every named schema twice, `X` as output and `XInput` as input. This keeps the referenced schemas,
 * in the order of their names, and renames an input to its plain name if no output has that name.
 */
function keepReferenced<T extends Document>(document: T): T {
  const { schemas } = document.components
  const referenced = new Set<string>()
  const visit = (part: unknown) => {
    for (const name of referencesIn(part)) {
      if (referenced.has(name) || !Object.hasOwn(schemas, name)) continue
      referenced.add(name)
      visit(schemas[name])
    }
  }
  visit({ ...document, components: null })
  const plainName = (name: string) => {
    const plain = name.replace(/Input$/, '')
    return referenced.has(plain) ? name : plain
  }
  const named = Object.fromEntries(
    [...referenced].sort().map((name) => [plainName(name), rename(schemas[name], plainName)]),
  )
  const renamed = rename({ ...document, components: null }, plainName)
  return { ...document, ...renamed, components: { ...document.components, schemas: named } }
}

function referencesIn(part: unknown): string[] {
  const found: string[] = []
  JSON.stringify(part, (key, value: unknown) => {
    if (isReference(key, value)) found.push(value.slice(prefix.length))
    return value
  })
  return found
}

function rename(part: unknown, nameOf: (name: string) => string): Record<string, unknown> {
  const text = JSON.stringify(part, (key, value: unknown) =>
    isReference(key, value) ? `${prefix}${nameOf(value.slice(prefix.length))}` : value,
  )
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

function isReference(key: string, value: unknown): value is string {
  return key === '$ref' && typeof value === 'string' && value.startsWith(prefix)
}

// The routes validate one schema of jobs for all endpoints. The document has one for each, so that generated clients know which result
// belongs to which endpoint.

const anySchema = z.looseObject({})

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).default([]),
})

type Schemas = Readonly<Record<string, unknown>>

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const typed = ['endpoint', 'settings', 'result']

/** The schemas as clients read them: a job by its endpoint, and the answer to a run by its mode. */
function tellApart(schemas: Schemas): Schemas {
  return { ...schemas, ...discriminatedJobs(schemas), ...runAnswers(schemas) }
}

/** A `Job` that `endpoint` discriminates: `AudioFindWordsJob` and so on, each with its own result, in its own envelope. */
function discriminatedJobs(schemas: Schemas): Schemas {
  const job = objectSchema.parse(schemas['Job'])
  const envelope = objectSchema.parse(schemas['JobEnvelope'])
  const shared = Object.fromEntries(Object.entries(job.properties).filter(([name]) => !typed.includes(name)))
  const { settings, result } = job.properties
  const ofEndpoints = endpoints.map((endpoint) => {
    const name = componentName(endpoint)
    const properties = {
      ...{ id: job.properties['id'], endpoint: { type: 'string', const: endpoint.id } },
      settings: { ...refTo(`${name}Settings`), description: settings?.['description'] },
      result: { ...refTo(`${name}Result`), description: result?.['description'] },
      ...shared,
    }
    return { id: endpoint.id, name: `${name}Job`, schema: { ...job, properties } }
  })
  const mapping = Object.fromEntries(ofEndpoints.map(({ id, name }) => [id, refTo(name).$ref]))
  const jobs = ofEndpoints.flatMap(({ name, schema }): [string, unknown][] => [
    [name, schema],
    [`${name}Envelope`, { ...envelope, properties: { ...envelope.properties, job: refTo(name) } }],
  ])
  return {
    ...Object.fromEntries(jobs),
    Job: { oneOf: ofEndpoints.map(({ name }) => refTo(name)), discriminator: { propertyName: 'endpoint', mapping } },
  }
}

/** What each mode of a run answers. */
function runAnswers(schemas: Schemas): Schemas {
  const { properties, ...rest } = objectSchema.parse(schemas['WorkflowRunCreated'])
  const form = (description: string, required: readonly string[], optional: readonly string[] = []) => {
    const names = ['request_id', ...required, ...optional]
    const kept = Object.fromEntries(names.map((name) => [name, properties[name]]))
    return { ...rest, description, properties: kept, required: ['request_id', ...required] }
  }
  const forms = {
    WorkflowRunStarted: form('With run_all.', ['run_id', 'run'], ['plan']),
    WorkflowFirstJob: form('With queue_first.', ['job_id', 'job'], ['plan']),
    WorkflowPlanned: form('With plan.', ['plan']),
  }
  return { ...forms, WorkflowRunCreated: { anyOf: Object.keys(forms).map((name) => refTo(name)) } }
}

const directEnvelopes = new Map(
  endpoints.map((endpoint) => [`/v1/${endpoint.id}`, `${componentName(endpoint)}JobEnvelope`]),
)

/** A response of a path; that of an endpoint's own path has the envelope of its jobs. */
function ofOwnEnvelope(path: string, response: object): object {
  const name = directEnvelopes.get(path)
  if (name === undefined) return response
  return anySchema.parse(
    JSON.parse(
      JSON.stringify(response).replaceAll('"#/components/schemas/JobEnvelope"', JSON.stringify(refTo(name).$ref)),
    ),
  )
}

const price = z.number()
const failure = z.object({ code: z.string(), message: z.string() }).nullable()
const metadata = z.record(z.string(), z.string())
const ended = z.iso.datetime()

const subjects = {
  job: z.object({
    ...{ id: z.string(), object: z.literal('job'), endpoint: z.string(), status: z.enum(['completed', 'failed']) },
    ...{ run_id: z.string().nullable(), metadata, final_price_usd: price, error: failure, ended_at: ended },
  }),
  workflow_run: z.object({
    ...{ id: z.string(), object: z.literal('workflow_run'), workflow_id: z.string() },
    ...{ status: z.enum(['completed', 'failed']), metadata, price_usd: price, error: failure, ended_at: ended },
  }),
  upload: z.object({
    ...{ id: z.string(), object: z.literal('upload'), file_name: z.string(), content_type: z.string() },
    ...{ bytes: z.int(), metadata, received_at: z.iso.datetime() },
  }),
  batch: z.object({
    ...{ id: z.string(), object: z.literal('batch'), name: z.string(), workflow_id: z.string() },
    ...{ status: z.enum(['completed', 'canceled']), metadata, completed: z.int(), failed: z.int(), ended_at: ended },
  }),
  webhook: z.object({ id: z.string(), object: z.literal('webhook_endpoint'), url: z.string() }),
}

/** The requests that webhook endpoints get, by the type of the event. */
const webhookOperations = Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))

function operationOf(type: EventType) {
  const subject = subjects[z.enum(['job', 'workflow_run', 'batch', 'upload', 'webhook']).parse(type.split('.')[0])]
  const body = z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    api_version: z.string().meta({ examples: [eventVersion] }),
    data: subject,
  })
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: 'input' })
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['webhooks'],
    summary: `The event ${type}`,
    description:
      'Signed as Standard Webhooks states: the header webhook-signature has the signature of webhook-id, webhook-timestamp and the body.',
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      ...{ name, in: 'header', required: true, schema: { type: 'string' } },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It was received. Everything else is a failure, and attempted again.' } },
  }
}
