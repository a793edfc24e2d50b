import path from 'node:path'
import type { z } from 'zod'
import { developmentSecret } from './core/signing-secret.ts'
import { showHidden } from './core/text.ts'
import { basesOf, isLoopback } from './core/urls.ts'
import { environment, makeSecret } from './variables.ts'

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
  if (config.STRIPE_API_ENDPOINT && !/^[rs]k_test_/.test(config.STRIPE_SECRET_KEY ?? '')) {
    throw new Error('STRIPE_SECRET_KEY: must be a test key with STRIPE_API_ENDPOINT, because it is sent there')
  }
}

/** What a choice takes that would be ignored if the choice was left out: media would go to the disk of each process, and nobody could pay. */
const takenBy = [
  { name: 'GCS_BUCKET', choice: 'STORAGE', values: 'gcs, or local, which does not use it' },
  { name: 'STRIPE_SECRET_KEY', choice: 'BILLING', values: 'stripe, or inactive, which does not use it' },
] as const

function assertChosen(variables: Variables): void {
  const missing = takenBy.find(({ name, choice }) => variables[name] && !variables[choice])
  if (missing) throw new Error(`${missing.choice}: required with ${missing.name}: ${missing.values}`)
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
  assertChosen(variables)
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
  const addresses = [`http://${host}`, ...basesOf({ BASE_URL: baseUrl, FALLBACK_BASE_URL })]
  return NODE_ENV !== 'production' && addresses.every((url) => URL.canParse(url) && isLoopback(new URL(url)))
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
