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
  let begun: string | undefined
  const endLine = () => {
    if (isLineOpen) stderr.write('\r\u001b[K')
    isLineOpen = false
  }
  const ofService = (message: string) => namingOptions(message, options)
  const stopped = () =>
    begun === undefined
      ? { message: 'Stopped. Nothing was run.' }
      : {
          message: `Stopped. ${begun || 'What the service has begun'} goes on there, at its price: see "jobs" and "runs", which can also cancel.`,
          ...(begun && { id: begun }),
        }
  return {
    isJson,
    /** What the service says, in the words of the command. */
    ofService,
    /** The result: as JSON if the caller asked for it, otherwise as `lines`, on a terminal in columns under their `header`. */
    result: (value: unknown, lines: () => readonly string[], header?: string) => {
      endLine()
      const shown = () => {
        const found = lines()
        return header && found.length > 0 && stdout.isTTY ? inColumns([header.toUpperCase(), ...found]) : found
      }
      for (const line of isJson ? [JSON.stringify(value, null, 2)] : shown()) stdout.write(`${line}\n`)
    },
    /** From here on, what stops the command does not stop the service. `id` is that of the work, once the service has said it. */
    begins: (id = '') => {
      begun = id
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
      const described = isAbort(error) ? stopped() : describe(error)
      const isOfService = error instanceof ApiError || error instanceof FailedError
      const text = isOfService ? ofService(described.message) : described.message
      stderr.write(isJson ? `${JSON.stringify({ error: described })}\n` : `${text}\n`)
    },
  }
}

export type Output = ReturnType<typeof createOutput>

/** Lines with tabs between their cells, as a person reads them. */
function inColumns(lines: readonly string[]): readonly string[] {
  const rows = lines.map((line) => line.split('\t'))
  const widthOf = (column: number) => rows.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0)
  const widths = (rows[0] ?? []).map((_, column) => widthOf(column))
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** What a person is told of an error, and what a program is. */
export function describe(error: unknown): { message: string; code?: string; request_id?: string; id?: string } {
  if (error instanceof ApiError) {
    const { code, requestId, retryAfterSeconds } = error
    const wait = retryAfterSeconds === undefined ? 'a minute' : waitText(retryAfterSeconds)
    const message = error.message.replace('the number of seconds in Retry-After', wait)
    return { message, code, ...(requestId && { request_id: requestId }) }
  }
  if (error instanceof FailedError) return { message: `${error.message} (${error.id})`, code: error.code, id: error.id }
  if (error instanceof MediaTimelineError) return { message: error.message }
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

function waitText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

/** Up to four significant decimals of a dollar. */
export function priceText(usd: number | undefined): string {
  return usd === undefined ? '–' : `$${usd.toFixed(usd >= 1 ? 2 : 4)}`
}
