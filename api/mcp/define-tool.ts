import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { chains } from '../../src/chains/chains.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues } from '../../src/core/input-problems.ts'
import { assertAccountScope } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import { limitOf } from '../http/pages.ts'

/** `key`: any key, for the endpoints that it covers. `account`: a key with the scope all. */
type ToolAuth = 'none' | 'key' | 'account'

interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether it reads media outside this service. */
  readonly openWorldHint: boolean
}

type ToolApp = 'shown' | 'called'

/** A file that the answer links to. */
export interface FileLink {
  readonly url: string
  readonly name: string
  readonly contentType: string
  /** Undefined until it is read. */
  readonly bytes?: number
  readonly description?: string
}

export interface ToolAnswer<Structured> {
  readonly structured: Structured
  /**
   * The outcome and the next step, in short, with every id, URL and time that a caller needs if it reads only texts. Names from
   * outside are `quoted`.
   */
  readonly text: string
  readonly links?: readonly FileLink[]
  /** The id of the job or the run that goes on after the answer: a client that takes tasks gets that instead. */
  readonly task?: string | undefined
}

export interface Progress {
  /** 0 to 1. */
  readonly fraction: number
  readonly message: string
}

/** One call of a tool. */
export interface ToolCall {
  readonly context: ApiContext
  readonly requestId: string
  readonly log: FastifyBaseLogger
  readonly credential: Credential | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Replaces `svc.` in tool names of a text by the configured prefix. */
  readonly named: (text: string) => string
  /** Whether the protocol's version has structured content. */
  readonly readsStructured: boolean
  /** Whether the client takes tasks, and asks its user what they need. */
  readonly asksUser: boolean
  /** Notes that the credential's scope does not cover the call. */
  readonly onScopeDenied: (error: ServiceError) => void
  /** Does nothing if the client did not request progress. */
  readonly reportProgress: (progress: Progress) => Promise<void>
}

export type KeyCall = ToolCall & { readonly credential: Credential }

interface Declaration<Input extends z.ZodObject, Output extends z.ZodObject, Call> {
  /** Without the prefix. */
  readonly name: string
  readonly title: string
  /** For a model that chooses a tool: what it does, when to use it, what comes before and after. */
  readonly description: string
  readonly annotations: ToolAnnotations
  /** Its part in the app of the timeline (`timeline-app.ts`): hosts show an answer by it, or it alone calls the tool. */
  readonly app?: ToolApp
  readonly input: Input
  /** Arguments that it takes. `job_…` and `key_…` stand for ids of the account. */
  readonly example: z.input<Input>
  readonly output: Output
  readonly run: (input: z.output<Input>, call: Call) => Promise<ToolAnswer<z.output<Output>>>
}

/** A declared tool. It parses its arguments itself, so that callers handle every tool alike. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly auth: ToolAuth
  readonly annotations: ToolAnnotations
  readonly app?: ToolApp
  readonly input: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
  readonly output: z.ZodObject
  /** Refuses with a ServiceError. Checks the credential before the arguments. */
  readonly call: (given: unknown, call: ToolCall) => Promise<ToolAnswer<Readonly<Record<string, unknown>>>>
}

/** A tool that needs no key: it spends nothing and reads no account's data. */
export function definePublicTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: Declaration<Input, Output, ToolCall>,
): Tool {
  return {
    ...declaration,
    auth: 'none',
    call: (given, call) => declaration.run(parse(declaration.input, given), call),
  }
}

/** A tool that acts for the credential's account. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: Declaration<Input, Output, KeyCall> & { readonly auth: 'key' | 'account' },
): Tool {
  return {
    ...declaration,
    call: async (given, call) => {
      const { credential } = call
      if (!credential) throw new ServiceError('missing_api_key')
      if (declaration.auth === 'account') assertAccountScope(credential)
      return declaration.run(parse(declaration.input, given), { ...call, credential })
    },
  }
}

const maxMessageLength = 600

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {}, { reportInput: true })
  if (parsed.success) return parsed.data
  const message = describeIssues(parsed.error.issues, 'arguments')
  throw new ServiceError('invalid_request', message.slice(0, maxMessageLength))
}

/** Reads data of this service, and changes nothing. */
export const lookUp: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Reads the user's media at any address, and changes nothing. */
export const lookUpOutside: ToolAnnotations = { ...lookUp, openWorldHint: true }

/** Each call adds something. */
export const add: ToolAnnotations = { ...lookUp, readOnlyHint: false, idempotentHint: false }

/** The same, from the user's media at any address. */
export const addOutside: ToolAnnotations = { ...add, openWorldHint: true }

/** Replaces or ends something; a repeated call changes nothing more. */
export const replace: ToolAnnotations = { ...lookUp, readOnlyHint: false, destructiveHint: true }

// Arguments that several tools take.

export const jobIdArgument = z.string().max(100).describe('An id such as job_…, from svc.create_job or svc.list_jobs.')

export const jobOrRunIdArgument = jobIdArgument.describe('An id such as job_…, or the run_… of a run_all.')

export const keyIdArgument = z.string().max(100).describe('An id such as key_…, from svc.list_api_keys.')

export const workflowIdArgument = z.enum(chains.map(({ id }) => id)).describe('An id from svc.list_workflows.')

export const pageLimitArgument = limitOf(20, z.int())

/** Of an argument whose values another tool lists. */
export const endpointIdArgument = { enum: undefined, description: 'An id from svc.list_endpoints.' }

/** The key that makes a call safe to repeat. */
export const retryKey = z.string().min(1).max(255).optional().describe('Makes a retry safe for 24 hours.')

/** A tool as in `tools/list`, which enters the context of every model that connects: as short as possible. */
export function presentTool(config: Pick<Config, 'TOOL_PREFIX'>, tool: Tool): ListedTool {
  return {
    name: publicName(config, tool),
    title: tool.title,
    description: withPrefix(config, tool.description),
    inputSchema: listed(config, withoutForms(z.toJSONSchema(tool.input, { io: 'input' }))),
    annotations: withoutDefaults(tool.annotations),
    ...(tool.app ? { _meta: { ui: uiOf[tool.app] } } : {}),
  }
}

export const timelineUri = 'ui://media-timeline/timeline'

/** Everybody gets the same list, so it cannot depend on what a client declares. */
const uiOf = { shown: { resourceUri: timelineUri }, called: { visibility: ['app'] } } satisfies Record<ToolApp, object>

/** A tool as in the manifest, for programs: also with the schema of its answers, and the credential that it needs. */
export function describeTool(config: Pick<Config, 'TOOL_PREFIX'>, tool: Tool) {
  return {
    ...presentTool(config, tool),
    annotations: tool.annotations,
    outputSchema: listed(config, outline(z.toJSONSchema(tool.output, { io: 'output' }))),
    auth: tool.auth,
    example: tool.example,
  }
}

/** The protocol gives two of the hints a meaning only for tools that change something. */
function withoutDefaults({ readOnlyHint, openWorldHint, ...ofChanges }: ToolAnnotations) {
  return { readOnlyHint, openWorldHint, ...(readOnlyHint ? {} : ofChanges) }
}

const objectDocument = z.looseObject({ type: z.literal('object') })

function listed(config: Prefix, schema: unknown) {
  return objectDocument.parse(JSON.parse(withPrefix(config, JSON.stringify(schema))))
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Keywords that only a machine reads. The tool itself checks its arguments, and says what is wrong with them. */
const forms = new Set([
  ...['$schema', 'propertyNames', 'additionalProperties', 'pattern', 'format', 'minLength', 'maxLength'],
  ...['maxProperties', 'exclusiveMinimum'],
])

/** Beyond these, no caller would go. */
const [obviousMinimum, obviousMaximum] = [0, 1_000_000]

function withoutForms(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, part: unknown) => {
      // The names in there are those of fields.
      if (key === 'properties' || typeof part !== 'object' || part === null || Array.isArray(part)) return part
      const kept = Object.fromEntries(Object.entries(part).filter(([name, value]) => !isForm(name, value)))
      return inOneForm(kept)
    }),
  )
}

function isForm(name: string, value: unknown): boolean {
  if (name === 'minimum') return value === obviousMinimum
  if (name === 'maximum') return typeof value === 'number' && value >= obviousMaximum
  return forms.has(name)
}

const alternatives = z.array(z.looseObject({ type: z.string() }))

/** Without alternatives that differ only in their form. */
function inOneForm({ anyOf, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const { data = [] } = alternatives.safeParse(anyOf)
  const [type, ...others] = new Set(data.map((each) => each.type))
  if (type === undefined) return anyOf === undefined ? schema : { ...schema, anyOf }
  return others.length === 0
    ? { ...schema, type }
    : { ...schema, anyOf: [type, ...others].map((each) => ({ type: each })) }
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

/** The tool that does what a request of REST does. */
const toolsByRequest: readonly (readonly [request: RegExp, tool: string])[] = [
  [/POST \/v1\/jobs\/[^/\s]+\/outputs\/refresh/g, 'svc.regenerate_output_url'],
  [/POST \/v1\/workflows\/[^/\s]+\/runs/g, 'svc.create_workflow_job'],
  [/GET \/v1\/uploads\/[\w{}]+/g, 'svc.list_uploads'],
  [/POST \/v1\/uploads\/presign/g, 'svc.create_upload'],
  [/POST \/v1\/estimate/g, 'svc.estimate_cost'],
  [/POST \/v1\/jobs(?!\/)/g, 'svc.create_job'],
  [/GET \/v1\/catalog/g, 'svc.list_endpoints'],
  [/send media_url with an API key/g, 'call svc.check_job_readiness'],
  [/or upload the file\./g, 'or upload the file with svc.create_upload.'],
  [/Idempotency-Key/g, 'idempotency_key'],
]

/** The message of an error for agents. Errors name requests of REST; agents call tools. */
export function inTools(message: string): string {
  return toolsByRequest.reduce((text, [request, tool]) => text.replaceAll(request, tool), message)
}
