import { z } from 'zod'
import { ServiceError } from '../src/core/errors.ts'
import type { Job } from '../src/store/jobs.ts'

type Position = Pick<Job, 'createdAt' | 'id'>

/** Years that the database knows as well. */
const time = z.iso.datetime().refine((text) => text.startsWith('20'))
const position = z.tuple([time, z.string().regex(/^job_[a-zA-Z0-9]{1,64}$/)])

/** Where the next page starts, as opaque text. */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url')
}

/** `invalid_request` for a text that no page gave. */
export function decodeCursor(cursor: string): Position {
  try {
    const [createdAt, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { createdAt: new Date(createdAt), id }
  } catch (cause) {
    throw new ServiceError('invalid_request', 'cursor: send the next_cursor of a page, unchanged.', { cause })
  }
}
