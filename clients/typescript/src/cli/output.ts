import type { Option } from 'commander'
import { ApiError, FailedError, MediaTimelineError, WaitTimeoutError } from '../index.ts'
import { namingOptions } from './option-names.ts'

/** How a command ends, as `gh` does, and for jobs. */
const exitCodes = { done: 0, error: 1, canceled: 2, failed: 3, unauthorized: 4, timedOut: 5 } as const

/** Results go to stdout, and everything else to stderr, so that a result can be piped. `options` are those of the command that runs. */
export function createOutput(isJson: boolean, options: readonly Option[]) {
  const { stderr, stdout, env } = process
  const isLive = stderr.isTTY && !isJson
  const dim = (text: string) => (isLive && !env['NO_COLOR'] ? `\u001b[2m${text}\u001b[0m` : text)
  let isLineOpen = false
  const endLine = () => {
    if (isLineOpen) stderr.write('\r\u001b[K')
    isLineOpen = false
  }
  const ofService = (message: string) => namingOptions(message, options)
  return {
    isJson,
    /** What the service says, in the words of the command. */
    ofService,
    /** The result: as JSON if the caller asked for it, otherwise as `lines`. */
    result: (value: unknown, lines: () => readonly string[]) => {
      endLine()
      stdout.write(
        isJson
          ? `${JSON.stringify(value, null, 2)}\n`
          : lines()
              .map((line) => `${line}\n`)
              .join(''),
      )
    },
    note: (text: string) => {
      endLine()
      if (!isJson) stderr.write(`${dim(text)}\n`)
    },
    /** Replaces the line of progress. Without a terminal, there is none. */
    progress: (label: string, part: number) => {
      if (!isLive) return
      isLineOpen = true
      stderr.write(`\r\u001b[K${label} ${Math.floor(part * 100)} %`)
    },
    failure: (error: unknown) => {
      endLine()
      const described = describe(error)
      const isOfService = error instanceof ApiError || error instanceof FailedError
      const text = isOfService ? ofService(described.message) : described.message
      stderr.write(isJson ? `${JSON.stringify({ error: described })}\n` : `${text}\n`)
    },
  }
}

export type Output = ReturnType<typeof createOutput>

/** What a person is told of an error, and what a program is. */
export function describe(error: unknown): { message: string; code?: string; request_id?: string; id?: string } {
  if (error instanceof ApiError) {
    const { message, code, requestId } = error
    return { message, code, ...(requestId && { request_id: requestId }) }
  }
  if (error instanceof FailedError) return { message: `${error.message} (${error.id})`, code: error.code, id: error.id }
  if (error instanceof MediaTimelineError) return { message: error.message }
  if (isAbort(error)) return { message: 'Stopped. What the service has begun goes on there: see "jobs" and "runs".' }
  return { message: error instanceof Error ? error.message : String(error) }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

export function exitCodeOf(error: unknown): number {
  if (isAbort(error)) return exitCodes.canceled
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return exitCodes.unauthorized
  if (error instanceof MissingKeyError) return exitCodes.unauthorized
  if (error instanceof FailedError) return error.code === 'canceled' ? exitCodes.canceled : exitCodes.failed
  return error instanceof WaitTimeoutError ? exitCodes.timedOut : exitCodes.error
}

export class MissingKeyError extends MediaTimelineError {
  override readonly name = 'MissingKeyError'
}

/** `1:02:03.5`, or `2:03.5` below an hour. */
export function timeText(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10]
  const tail = rest.toFixed(1).padStart(4, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** Up to four significant decimals of a dollar. */
export function priceText(usd: number | undefined): string {
  return usd === undefined ? '–' : `$${usd.toFixed(usd >= 1 ? 2 : 4)}`
}
