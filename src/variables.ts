import { z } from 'zod'
import { oauthClients } from './accounts/oauth-clients.ts'
import { defaultMaxPixels } from './core/ffmpeg.ts'
import { weaknessOf } from './core/signing-secret.ts'

// Values of environment variables. Messages complete a line that begins with the variable's name.

const choice = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })
const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
  const error = `must be a whole number ${range}`
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address, such as http://127.0.0.1:3000' })

const databaseForm = 'such as postgresql://user:password@host:5432/name'
const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: ({ input }) => (input === undefined ? `is required, ${databaseForm}` : `must be an address, ${databaseForm}`),
})

const flag = choice('true', 'false').transform((value) => value === 'true')
const port = whole(0, 65_535)
const count = whole(1)
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const addressForm = 'must be host:port, such as 127.0.0.1:9464'
/** `host:port`, `[::1]:port`. */
const address = z
  .string()
  .regex(/^(\[[\da-f:.]+\]|[\w.-]+):\d+$/i, addressForm)
  .transform((value) => {
    const colon = value.lastIndexOf(':')
    return { host: value.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(value.slice(colon + 1)) }
  })
  .refine((parsed) => parsed.port <= 65_535, addressForm)

export const makeSecret = 'make one with: openssl rand -hex 32'
const secret = z.string().refine((text) => !weaknessOf(text), {
  error: ({ input }) => `${weaknessOf(String(input))}; ${makeSecret}`,
})
const keyId = z.string().regex(/^[a-zA-Z0-9]{1,16}$/, 'must be 1 to 16 letters or digits')
/** `id:secret` */
const otherSecret = z.string().transform((text, { issues }) => {
  const [, id, value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const problem = otherSecretProblem(id, value)
  if (problem) issues.push({ code: 'custom', input: undefined, message: problem })
  return { keyId: id ?? '', secret: value }
})

function otherSecretProblem(id: string | undefined, value: string): string | undefined {
  if (!keyId.safeParse(id).success) return `must be the id and the secret, as id:secret; ${makeSecret}`
  // It would be part of the secret, which then verifies nothing.
  if (/^\s/.test(value)) return 'must have no space after the colon, as id:secret'
  const weakness = weaknessOf(value)
  return weakness && `${weakness}; ${makeSecret}`
}

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
  WEBHOOK_ALLOW_HOSTS: list.default([]),
  MEDIA_SLOTS: count.optional(),
  SHUTDOWN_GRACE_SECONDS: whole(0).default(30),
  BLOCKED_LOOP_SECONDS: whole(0).default(8),
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
  UNPAID_JOB_BYTES_PER_ACCOUNT: count.default(256 * 1024 ** 2),
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
