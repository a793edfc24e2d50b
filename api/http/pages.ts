import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { sentIdPattern } from '../../src/core/ids.ts'

/** The position of a row in a list: newest first, then by id. */
interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** The number of entries of a page: a parameter of a URL or, with `z.int()`, an argument of a tool. */
export function limitOf(fallback: number, whole: z.ZodCoercedNumber = z.coerce.number().int()) {
  return whole
    .min(1)
    .max(100)
    .default(fallback)
    .describe(`The most entries of the page, 1 to 100. ${fallback} when left out.`)
}

export const pageLimit = limitOf(20)

/** Earlier than every row. Without a bound, ISO 8601's year 0 would reach PostgreSQL, which has no year 0. */
const earliest = new Date('2020-01-01T00:00:00Z')
const time = z.iso.datetime().pipe(z.coerce.date<string>().min(earliest))
const position = z.tuple([time, z.string().regex(sentIdPattern('job', 'run', 'upl', 'evt', 'bat'))])

const latest = new Date('9999-01-01T00:00:00Z')

const date = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'expected a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z',
  })
  // PostgreSQL has no year 0, and JavaScript none after 275760.
  .transform((text) => new Date(Math.min(Math.max(Date.parse(text), earliest.getTime()), latest.getTime())))

/** When the rows of a list were created. */
export const createdFilter = {
  created_after: date.optional().describe('Created then or later. A date is its midnight, UTC.'),
  created_before: date.optional().describe('Created earlier.'),
}

/** The first `limit` rows, and the cursor of the next page if there are more. `found` has up to `limit` + 1 rows. */
export function pageOf<Row extends Position>(found: readonly Row[], limit: number): [Row[], { next_cursor?: string }] {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return [rows, last ? { next_cursor: encodeCursor([last.createdAt.toISOString(), last.id]) } : {}]
}

/** Throws `invalid_request` for a text that is not a cursor. */
export function decodePosition(cursor: string | undefined): Position | undefined {
  const found = decodeCursor(position, cursor)
  return found && { createdAt: found[0], id: found[1] }
}

export const pageCursor = z.string().max(200).optional().describe('The next_cursor of the previous page.')
export const nextCursor = z
  .string()
  .optional()
  .describe('Send it as cursor to get the next page. Missing on the last page.')

/** What a list orders its rows by: the position of a page's last row is the cursor of the next page. */
type CursorPosition = readonly (string | number)[]

export function encodeCursor(position: CursorPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Throws `invalid_request` for a text that is not a cursor of such a list. */
export function decodeCursor<Position>(schema: z.ZodType<Position>, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'cursor: send the next_cursor of a page unchanged.', { cause })
  }
}
