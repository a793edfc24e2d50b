import { z } from 'zod'
import { errorTable, isErrorCode } from '../../src/core/errors.ts'
import type { ErrorBody } from '../http/errors.ts'
import { errorBody } from '../http/schemas.ts'

const id = z.union([z.string(), z.int()]).nullable()

/** The 401 of `POST /mcp`. Clients show their users the message of an error of JSON-RPC, and nothing of the error envelope. */
export const refusal = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: id.describe('Of the request. null for a batch, for a number beyond 2^53, and where the body was not read.'),
    error: z.object({
      code: z.int().describe('The HTTP status.'),
      message: z.string().describe('The code and the message of data.'),
      data: errorBody,
    }),
  })
  .meta({ id: 'ProtocolRefusal' })

const withId = z.object({ id })

/** Undefined for errors with other statuses. */
export function refusalOf(error: ErrorBody, message: unknown): z.output<typeof refusal> | undefined {
  const status = isErrorCode(error.code) ? errorTable[error.code].httpStatus : undefined
  if (status !== 401) return undefined
  const { data: request } = withId.safeParse(message)
  return {
    jsonrpc: '2.0',
    id: request?.id ?? null,
    error: { code: status, message: `${error.code}: ${error.message}`, data: error },
  }
}
