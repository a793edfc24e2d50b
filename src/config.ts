import path from 'node:path'
import { z } from 'zod'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const port = z.coerce.number().int().min(0).max(65_535)
const count = z.coerce.number().int().min(1)
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

const secret = z.string().min(32, 'must be at least 32 characters')

/** Every environment variable that the service reads. `.env.example` explains them. */
export const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  BASE_URL: z.url().optional(),
  FALLBACK_BASE_URL: z.url().optional(),
  TRUST_PROXY: flag.default(false),

  DATABASE_URL: z.string().min(1),
  DATABASE_DIRECT_URL: z.string().min(1).optional(),
  DATABASE_POOL_SIZE: count.default(10),

  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: flag.default(false),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be at most 128 letters, digits, dots, hyphens and underscores')
    .optional(),
  // Temporal writes a version as name:build, or as name.build.
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[a-zA-Z0-9][\w-]{0,127}$/, 'must be at most 128 letters, digits, hyphens and underscores')
    .default('media-timeline'),

  DATA_DIR: z.string().default('.data'),
  STORAGE: z.enum(['local', 'gcs']).default('local'),
  GCS_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/, 'must be the name of a bucket, without gs://')
    .optional(),
  GCS_API_ENDPOINT: z.url().optional(),
  GCS_PUBLIC_ENDPOINT: z.url().optional(),
  SIGNING_KEY_ID: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,16}$/, 'must be 1 to 16 letters or digits')
    .default('1'),
  SIGNING_SECRET: secret.optional(),
  RETENTION_DAYS: count.default(30),

  MAX_UPLOAD_BYTES: count.default(5 * 1024 ** 3),
  MAX_MEDIA_BYTES: count.default(5 * 1024 ** 3),
  MEDIA_ALLOW_HOSTS: list.default([]),
  MEDIA_SLOTS: count.optional(),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(0).default(30),
  HEALTH_FILE: z.string().min(1).optional(),
  FFMPEG_PATH: z.string().default('ffmpeg'),
  FFPROBE_PATH: z.string().default('ffprobe'),

  RUNNING_JOBS_PER_ACCOUNT: count.default(20),
  RATE_LIMIT_PER_ACCOUNT: count.default(600),
  RATE_LIMIT_PER_ADDRESS: count.default(1200),

  METRICS_ADDRESS: address.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
})

export type Config = Readonly<
  Omit<z.output<typeof environment>, 'BASE_URL' | 'DATABASE_DIRECT_URL' | 'SIGNING_SECRET'> & {
    BASE_URL: string
    DATABASE_DIRECT_URL: string
    SIGNING_SECRET: string
  }
>

/** Parses the environment; throws one Error with a readable line for each problem. */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  }
  const config = parsed.data
  if (config.NODE_ENV === 'production' && !config.SIGNING_SECRET) {
    throw new Error('SIGNING_SECRET: production needs its own, at least 32 characters, the same on every process')
  }
  if (config.STORAGE === 'gcs' && !config.GCS_BUCKET) {
    throw new Error('GCS_BUCKET: STORAGE=gcs needs the name of its bucket')
  }
  return {
    ...config,
    DATA_DIR: path.resolve(config.DATA_DIR),
    BASE_URL: withoutSlash(config.BASE_URL ?? `http://${config.HOST}:${config.PORT}`),
    ...(config.FALLBACK_BASE_URL ? { FALLBACK_BASE_URL: withoutSlash(config.FALLBACK_BASE_URL) } : {}),
    DATABASE_DIRECT_URL: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    SIGNING_SECRET: config.SIGNING_SECRET ?? 'development-only-signing-secret-0000',
  }
}

/** The configuration of this process; ends it with one line for each problem where there is any. */
export function configOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    return exitWithMessage(error)
  }
}

/** Ends a process that cannot start, with the error's message for the operator. */
export function exitWithMessage(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
