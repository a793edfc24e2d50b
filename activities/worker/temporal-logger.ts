import type { Logger as TemporalLogger } from '@temporalio/common'
import type { Logger } from 'pino'

/** Logged by every worker that runs only activities. */
const expectedWarning = 'No workflows registered, not polling for workflow tasks'

/** Writes Temporal's log lines to our logger. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const child = logger.child({ component: 'temporal' })
  return {
    log: (level, message, meta) => child[pinoLevels[level]](meta ?? {}, message),
    trace: (message, meta) => child.trace(meta ?? {}, message),
    debug: (message, meta) => child.debug(meta ?? {}, message),
    info: (message, meta) => child.info(meta ?? {}, message),
    warn: (message, meta) => child[message === expectedWarning ? 'debug' : 'warn'](meta ?? {}, message),
    error: (message, meta) => child.error(meta ?? {}, message),
  }
}

const pinoLevels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const
