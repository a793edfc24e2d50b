import { z } from 'zod'
import { isUsd, maxUsd } from '../../src/core/money.ts'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'

export const requestId = z.string().describe('Also in the x-request-id header. Quote it when you report a problem.')

export const errorBody = z
  .object({
    code: z.string().describe('A code of the error table.'),
    message: z.string().describe('What to do next.'),
    request_id: requestId,
    docs_url: z.url().optional(),
    job_id: z.string().optional().describe('The job that the error is about, if there is one.'),
  })
  .meta({ id: 'ErrorBody' })

export const errorEnvelope = z.object({ error: errorBody }).meta({ id: 'ErrorEnvelope' })

/** The errors of every route. */
export const anyErrors = { 400: errorEnvelope, 429: errorEnvelope, 500: errorEnvelope, 503: errorEnvelope }

/** The errors of every route with a key. */
export const keyErrors = { ...anyErrors, 401: errorEnvelope }

/** The errors of every route with a key and a JSON body. */
export const bodyErrors = { ...keyErrors, 413: errorEnvelope, 415: errorEnvelope }

/** The errors of every account route, and of those with a JSON body. */
export const accountErrors = { ...keyErrors, 403: errorEnvelope }
export const accountBodyErrors = { ...bodyErrors, 403: errorEnvelope }

/** Account routes accept a key with the scope `all`, or the session of the account's owner. */
export const accountSecurity = [{ ApiKey: [] }, { Session: [] }]

/** A name that a person chooses: one line that can be shown, stored and mailed. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}*$/u, 'must not contain control characters')

/** A caller's amount in dollars, valid for `fromUsd`. */
export const amountUsd = z
  .number()
  .min(0, { abort: true })
  .max(maxUsd, { abort: true })
  .refine(isUsd, 'expected dollars with at most six decimals')

/** The name of a file, as filters take it. */
export const mediaName = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => isPostgresText(JSON.stringify(text)), notPostgresText)
