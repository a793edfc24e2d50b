import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import type { Tracing } from './tracing.ts'

const secrets = [
  'authorization',
  'cookie',
  'password',
  'token',
  'media_url',
  'mediaUrl',
  'upload_url',
  'output_url',
  'connectionString',
]

/** Logs JSON lines with the active span. Redacts keys and media URLs in every logged object. */
export function createLogger({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, service: string, tracing: Tracing): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers.${name}`])
  return pino({
    level: LOG_LEVEL,
    base: { service },
    redact: { paths: [...new Set(paths)], censor: '[redacted]' },
    mixin: () => ({ ...tracing.logFields() }),
  })
}
