import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { chains } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues } from '../../src/core/input-problems.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { assertAccountScope } from '../http/assert-scope.ts'
import type { ApiContext } from '../http/context.ts'
import { limitOf } from '../http/pages.ts'

/** `key`: any key, for the endpoints that it covers. `account`: a key with the scope all. */
export type ToolAuth = 'none' | 'key' | 'account'

export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether it reads media outside this service. */
  readonly openWorldHint: boolean
}

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
  readonly input: Input
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
  readonly input: z.ZodObject
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

/** Replaces or ends something; a repeated call changes nothing more. */
export const replace: ToolAnnotations = { ...lookUp, readOnlyHint: false, destructiveHint: true }

// Arguments that several tools take.

export const jobIdArgument = z.string().max(100).describe('An id such as job_…, from svc.create_job or svc.list_jobs.')

export const jobOrRunIdArgument = jobIdArgument.describe('An id such as job_…, or the run_… of a run_all.')

export const keyIdArgument = z.string().max(100).describe('An id such as key_…, from svc.list_api_keys.')

export const workflowIdArgument = z.enum(chains.map(({ id }) => id)).describe('An id from svc.list_workflows.')

export const pageLimitArgument = limitOf(20, z.int())

/** The key that makes a call safe to repeat. */
export const retryKey = z.string().min(1).max(255).optional().describe('Makes a retry safe for 24 hours.')
