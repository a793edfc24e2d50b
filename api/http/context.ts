import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { SignIn } from '../../src/accounts/sign-in.ts'
import type { Config } from '../../src/config.ts'
import type { KeyedQueue } from '../../src/core/serial-queue.ts'
import type { Mailer } from '../../src/mail/open-mailer.ts'
import type { Signer } from '../../src/storage/signing.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { Database } from '../../src/store/database.ts'
import type { JobEnds } from '../../src/store/job-ends.ts'
import type { Credential } from '../../src/store/keys.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import type { Tracing } from '../../src/telemetry/tracing.ts'
import type { JobClient } from '../../src/temporal/job-client.ts'
import type { Health } from '../health/check.ts'
import type { Background } from './background-tasks.ts'

/** What the API works with. */
export interface ApiDependencies {
  readonly config: Config
  readonly db: Database
  readonly jobEndListener: JobEnds
  readonly jobs: JobClient
  readonly storage: Storage
  /** Checks signed storage URLs; given where the API serves them itself. */
  readonly signer?: Signer | undefined
  /** Where mail can be sent. */
  readonly mailer: Mailer | undefined
  readonly logger: FastifyBaseLogger
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** The dependencies, and what one API process shares among its requests. */
export interface ApiContext extends ApiDependencies {
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  /** Each account's creates, one after the other. */
  readonly createsByAccount: KeyedQueue
  readonly background: Background
  /** At most once a second, however many ask. */
  readonly checkHealth: () => Promise<Health>
  readonly signIn: SignIn
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** Who a request inside the routes with a key speaks for. */
export type CredentialOf = (request: object) => Credential

/** Which account a request inside the account's own routes speaks for, by key or by session. */
export type AccountOf = (request: object) => AccountCredential

export interface AccountCredential {
  readonly accountId: string
  /** Where a key was sent. */
  readonly keyId?: string
  /** Where the owner is signed in. */
  readonly userId?: string
}
