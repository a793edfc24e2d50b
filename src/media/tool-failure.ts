import { ServiceError } from '../core/errors.ts'

/** How a tool ended, and the last lines that it wrote to standard error. */
export interface ToolEnd {
  readonly error: Error
  readonly stderr: readonly string[]
}

/** The error that callers see for a tool that failed by itself; what it wrote goes along as the cause. */
export function toolFailure({ error, stderr }: ToolEnd): ServiceError {
  const text = stderr.join('\n')
  const cause = new Error(text ? `${error.message}\n${text}` : error.message, { cause: error })
  if (isDiskFailure(error, text)) return new ServiceError('server_error', undefined, { cause })
  return new ServiceError('processing_failed', undefined, { cause })
}

function isDiskFailure(error: Error, stderr: string): boolean {
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true
  // Not by us, whose own endings are told apart before: by the system, out of memory. A crash is the media's doing.
  if (/SIGKILL|SIGTERM/.test(error.message)) return true
  return ourProblems.test(stderr)
}

const ourProblems =
  /No space left on device|Cannot allocate memory|No such file or directory|Permission denied|Input\/output error|Unknown encoder|Option not found|Unrecognized option/
