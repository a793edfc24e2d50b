import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import type { ReadClientDocument } from '../../src/accounts/oauth-clients.ts'
import type { SignIn } from '../../src/accounts/sign-in.ts'
import type { BillingProvider } from '../../src/billing/provider/provider.ts'
import type { Config } from '../../src/config.ts'
import type { Background, KeyedQueue } from '../../src/core/concurrency.ts'
import type { Announcements } from '../../src/db/announcements.ts'
import type { Database } from '../../src/db/database.ts'
import type { SlotLimits } from '../../src/jobs/admission.ts'
import type { Analysis } from '../../src/jobs/analysis-rows.ts'
import type { Mailer } from '../../src/mail/mailer.ts'
import type { Envelope } from '../../src/media/sound/envelope.ts'
import type { ModelName } from '../../src/models/models.ts'
import type { Signer } from '../../src/storage/signing.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import type { Tracing } from '../../src/telemetry/tracing.ts'
import type { JobClient } from '../../src/temporal/job-client.ts'
import type { Pressure, PressureLimits } from './connection-limits.ts'
import type { Shares } from './rate-limits.ts'

/** The built dashboard (`web`), in memory: some hundred kilobytes. */
export interface BuiltPages {
  readonly index: string
  /** The document of pages that people open by a link, without an account. */
  readonly linked: string
  /** By their file names, which contain a hash of their content. */
  readonly assets: ReadonlyMap<string, BuiltAsset>
  /** The timeline inside a chat, in one file. */
  readonly timeline?: string | undefined
}

export interface BuiltAsset {
  readonly type: string
  readonly content: Buffer
  readonly gzipped: Buffer
}

/** A document for people who use the service, as a page of `/docs`. */
export interface Guide {
  readonly name: string
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  /** The whole document. */
  readonly page: string
}

/** The dependencies of the API. */
export interface ApiDependencies {
  readonly config: Config
  readonly db: Database
  readonly announcements: Announcements
  readonly jobs: JobClient
  readonly storage: Storage
  /** Checks signed storage URLs, if the API serves them itself. */
  readonly signer?: Signer | undefined
  /** Those that are installed. Workers read the same folder. */
  readonly models: ReadonlySet<ModelName>
  readonly billing: BillingProvider
  /** Undefined if no mail can be sent. */
  readonly mailer: Mailer | undefined
  /** Reads the metadata documents of OAuth clients; the guarded client when left out. */
  readonly readClientDocument?: ReadClientDocument
  /** The built dashboard; undefined if there is none. */
  readonly pages?: BuiltPages | undefined
  /** Beside the reference. */
  readonly guides?: readonly Guide[]
  /** From which new work is refused; by default what this process can do. */
  readonly pressureLimits?: PressureLimits
  readonly logger: FastifyBaseLogger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** The dependencies, and the state that an API process shares among its requests. */
export interface ApiContext extends ApiDependencies {
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  /** Runs what creates or changes under the lock of an account's row one after the other: in parallel, each would keep a database connection. */
  readonly createsByAccount: KeyedQueue
  readonly background: Background
  readonly slotLimits: SlotLimits
  /** Checks at most once a second. */
  readonly checkHealth: () => Promise<Health>
  /** Fails if a stored file cannot be read at its URL. Checks at most once in ten seconds. */
  readonly checkSignedUrl: () => Promise<void>
  readonly signIn: SignIn
  readonly pressure: Pressure
  /** What is drawn and searched of the sound that jobs measured. */
  readonly waveforms: Waveforms
  /** Exports that are being written. */
  readonly exports: Shares
  readonly searches: Shares
  readonly streams: Shares
  /** Reads of large results. */
  readonly results: Shares
}

export interface HealthCheck {
  readonly ok: boolean
  readonly latency_ms: number
}

export interface Health {
  readonly ok: boolean
  readonly storage: HealthCheck
  readonly new_work: { readonly ok: boolean; readonly process: boolean; readonly disk: boolean }
  readonly jobs: {
    readonly database: HealthCheck
    readonly temporal: HealthCheck
    readonly workers: HealthCheck & {
      readonly count: number
      readonly confined: number
      readonly blocked_last_hour: number
      readonly last_blocked_at: string | null
    }
  }
}

/** What the API process reads of kept envelopes: bounded in memory, and one at a time for each account. */
export interface Waveforms {
  readonly envelope: (analysis: Analysis) => Promise<Envelope>
  readonly search: <T>(accountId: string, work: () => Promise<T>) => Promise<T>
  readonly tile: (accountId: string, analysis: Analysis, at: { level: number; tile: number }) => Promise<Buffer>
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** The credential of a request to a route that requires one. */
export type CredentialOf = (request: object) => Credential
