import path from 'node:path'
import { z } from 'zod'
import {
  address,
  choice,
  count,
  databaseUrl,
  flag,
  keyId,
  list,
  makeSecret,
  otherSecret,
  port,
  secret,
  webAddress,
  whole,
} from './core/environment.ts'
import { defaultMaxPixels } from './core/ffmpeg.ts'
import { oauthClients } from './core/oauth-clients.ts'
import { developmentSecret } from './core/signing-secret.ts'
import { showHidden } from './core/text.ts'
import { isLoopback } from './core/urls.ts'

/** Every environment variable that the service reads. `.env.example` explains them. */
export const environment = z.object({
  NODE_ENV: choice('development', 'test', 'production').default('development'),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),

  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  BASE_URL: webAddress.optional(),
  FALLBACK_BASE_URL: webAddress.optional(),
  TRUST_PROXY: whole(0, 10).default(0),

  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: count.default(10),
  DATABASE_STATEMENT_SECONDS: count.default(30),

  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: flag.default(false),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be at most 128 letters, digits, dots, hyphens and underscores')
    .optional(),
  // Temporal writes a version as name:build or name.build, so the name has neither character.
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[a-zA-Z0-9][\w-]{0,127}$/, 'must be at most 128 letters, digits, hyphens and underscores')
    .default('media-timeline'),

  DATA_DIR: z.string().default('.data'),
  STORAGE: choice('local', 'gcs').default('local'),
  GCS_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, 'must be the name of a bucket, without gs://')
    .optional(),
  GCS_API_ENDPOINT: webAddress
    .refine((url) => !/^https:|googleapis\.com/i.test(url), {
      error: 'must be the http address of an emulator; leave it blank for Google Cloud Storage',
    })
    .optional(),
  GCS_PUBLIC_ENDPOINT: webAddress.optional(),
  SIGNING_KEY_ID: keyId.default('1'),
  SIGNING_SECRET: secret.optional(),
  OTHER_SIGNING_SECRET: otherSecret.optional(),
  RETENTION_DAYS: count.default(30),
  JOB_RETENTION_DAYS: count.optional(),

  MAX_UPLOAD_BYTES: count.default(5 * 1024 ** 3),
  MAX_MEDIA_BYTES: count.default(5 * 1024 ** 3),
  MAX_VIDEO_PIXELS: count.default(defaultMaxPixels),
  MEDIA_ALLOW_HOSTS: list.default([]),
  MEDIA_SLOTS: count.optional(),
  SHUTDOWN_GRACE_SECONDS: whole(0).default(30),
  HEALTH_FILE: z.string().min(1).optional(),
  MODELS_DIR: z.string().min(1).optional(),
  FFMPEG_PATH: z.string().default('ffmpeg'),
  FFPROBE_PATH: z.string().default('ffprobe'),
  TOOL_MEMORY_BYTES: count.optional(),
  TOOL_CONFINEMENT: choice('preferred', 'required').default('preferred'),

  MAX_CONNECTIONS: count.default(4096),
  MAX_CONNECTIONS_PER_ADDRESS: count.default(256),
  RUNNING_JOBS_PER_ACCOUNT: count.default(20),
  RUNNING_JOBS_BEFORE_PAYMENT: count.default(2),
  WAITING_JOBS_PER_ACCOUNT: count.default(1000),
  OPEN_WAITS_PER_ACCOUNT: count.default(100),
  PROBES_PER_ACCOUNT: count.default(30),
  PRESIGNED_BYTES_PER_ACCOUNT: count.default(1024 ** 4),
  STORED_BYTES_PER_ACCOUNT: count.default(1024 ** 4),
  STORED_BYTES_BEFORE_PAYMENT: count.default(20 * 1024 ** 3),
  RATE_LIMIT_PER_ACCOUNT: count.default(600),
  RATE_LIMIT_PER_ADDRESS: count.default(1200),
  SIGN_IN_TRIES_PER_ADDRESS: count.default(100),
  SIGN_IN_TRIES_PER_EMAIL: count.default(10),

  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address, such as smtps://user:password@smtp.example.com' })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an address, such as Media Timeline <no-reply@example.com>')
    .optional(),

  FREE_CREDITS_PROOF: choice('none', 'mail', 'payment_method').default('mail'),
  FREE_CREDITS_PER_NETWORK: count.default(5),

  BILLING: choice('inactive', 'embedded', 'stripe').default('inactive'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret or restricted key of Stripe, such as sk_test_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, whsec_…')
    .optional(),
  STRIPE_API_ENDPOINT: webAddress
    .refine((url) => !/^https:|stripe\.com/i.test(url), {
      error: 'must be the http address of a stand-in for tests; leave it blank for Stripe',
    })
    .optional(),

  OAUTH_CLIENTS: oauthClients.default([]),

  TOOL_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,32}$/, 'must be at most 32 letters, digits, dots, hyphens and underscores')
    .default('svc.'),

  METRICS_ADDRESS: address.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
})

/** The variables of commands that need only the database, or only Temporal. */
export const databaseEnvironment = environment.pick({ DATABASE_URL: true, DATABASE_DIRECT_URL: true })
export const temporalEnvironment = environment.pick({
  TEMPORAL_ADDRESS: true,
  TEMPORAL_NAMESPACE: true,
  TEMPORAL_API_KEY: true,
  TEMPORAL_TLS: true,
})

type Variables = Readonly<Record<string, string | undefined>>

export type Config = Readonly<
  Omit<z.output<typeof environment>, 'BASE_URL' | 'DATABASE_DIRECT_URL' | 'SIGNING_SECRET' | 'MAIL_FROM'> & {
    BASE_URL: string
    DATABASE_DIRECT_URL: string
    SIGNING_SECRET: string
    MAIL_FROM: string
  }
>

/** Parses the variables of the schema. Throws one Error with a readable line for each problem. */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Variables = process.env,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}

function assertJobsOutliveOutputs({
  RETENTION_DAYS: outputDays,
  JOB_RETENTION_DAYS: jobDays = outputDays,
}: z.output<typeof environment>): void {
  if (jobDays >= outputDays) return
  throw new Error('JOB_RETENTION_DAYS: must be at least RETENTION_DAYS, because outputs go with their job')
}

function assertStripe(config: z.output<typeof environment>): void {
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const) {
    if (!config[name]) throw new Error(`${name}: required with BILLING=stripe`)
  }
  if (config.STRIPE_API_ENDPOINT && !config.STRIPE_SECRET_KEY?.includes('k_test_')) {
    throw new Error('STRIPE_SECRET_KEY: must be a test key with STRIPE_API_ENDPOINT, because it is sent there')
  }
}

/** Parses the whole environment. Throws as readVariables does. */
export function readConfig(variables: Variables = process.env): Config {
  const config = readVariables(environment, variables)
  const baseUrl = withoutSlash(config.BASE_URL ?? `http://${config.HOST}:${config.PORT}`)
  if (!config.SIGNING_SECRET && !isOnlyLocal(config, baseUrl)) {
    throw new Error(
      `SIGNING_SECRET: required in production, and with a HOST or BASE_URL that is no loopback address; the same on every process; ${makeSecret}`,
    )
  }
  if (config.OTHER_SIGNING_SECRET?.keyId === config.SIGNING_KEY_ID) {
    throw new Error('OTHER_SIGNING_SECRET: must have another id than SIGNING_KEY_ID')
  }
  if (config.STORAGE === 'gcs' && !config.GCS_BUCKET) {
    throw new Error('GCS_BUCKET: required with STORAGE=gcs, the name of the bucket')
  }
  assertJobsOutliveOutputs(config)
  if (config.SMTP_URL && !config.MAIL_FROM) {
    throw new Error('MAIL_FROM: required with SMTP_URL, the address that mail comes from')
  }
  if (config.BILLING === 'stripe') assertStripe(config)
  if (config.BILLING === 'embedded' && !isOnlyLocal(config, baseUrl)) {
    throw new Error(
      'BILLING: embedded is a stand-in for development that moves no money; it is refused in production and needs HOST and BASE_URL on a loopback address, such as 127.0.0.1 and http://127.0.0.1:3000',
    )
  }
  return {
    ...config,
    DATA_DIR: path.resolve(config.DATA_DIR),
    BASE_URL: baseUrl,
    ...(config.FALLBACK_BASE_URL ? { FALLBACK_BASE_URL: withoutSlash(config.FALLBACK_BASE_URL) } : {}),
    DATABASE_DIRECT_URL: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    SIGNING_SECRET: config.SIGNING_SECRET ?? developmentSecret,
    MAIL_FROM: config.MAIL_FROM ?? 'Media Timeline <no-reply@localhost>',
  }
}

/** The configuration of this process. Ends the process with one line for each problem. */
export function configOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    return exitWithMessage(error)
  }
}

/** Ends a process that cannot start, with the error's message for the operator, whose terminal shows what it quotes and obeys none of it. */
export function exitWithMessage(error: unknown): never {
  process.stderr.write(`${showHidden(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
}

/** Whether only this machine reaches the service. A forgotten NODE_ENV must not open a public one. */
function isOnlyLocal({ NODE_ENV, HOST, FALLBACK_BASE_URL }: z.output<typeof environment>, baseUrl: string): boolean {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  const addresses = [`http://${host}`, baseUrl, ...(FALLBACK_BASE_URL ? [FALLBACK_BASE_URL] : [])]
  return NODE_ENV !== 'production' && addresses.every((url) => URL.canParse(url) && isLoopback(new URL(url)))
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
