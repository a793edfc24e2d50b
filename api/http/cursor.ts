import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'

export const pageCursor = z.string().max(200).optional().describe('The next_cursor of the previous page.')
export const nextCursor = z
  .string()
  .optional()
  .describe('Send it as cursor to get the next page. Missing on the last page.')

/** What a list orders its rows by: the position of a page's last row is the cursor of the next page. */
export type CursorPosition = readonly (string | number)[]

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
