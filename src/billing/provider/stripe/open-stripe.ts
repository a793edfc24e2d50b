import Stripe from 'stripe'
import { ServiceError } from '../../../core/errors.ts'

interface StripeAccess {
  readonly secretKey: string
  /** The http address of a stand-in, for tests. */
  readonly apiEndpoint?: string | undefined
}

const timeoutMilliseconds = 10_000

/** The package's types describe this version of the API. Events can have another, so only ids are read of them. */
const apiVersion = '2026-10-28.endive'

export function openStripe({ secretKey, apiEndpoint }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    timeout: timeoutMilliseconds,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(apiEndpoint === undefined ? {} : standIn(new URL(apiEndpoint))),
  })
}

function standIn({ hostname: host, port }: URL) {
  return { host, port: Number(port || 80), protocol: 'http' as const }
}

/** Whether another try can succeed: lost connections, 409 (the same request is in progress), 429 and 5xx. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  return error instanceof Stripe.errors.StripeConnectionError || [409, 429].includes(statusCode) || statusCode >= 500
}

/** Stripe answers an Idempotency-Key with the same 5xx again: another try needs another key, after a look at what exists. */
export function isKept(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500
}

export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode === 404 || error.code === 'resource_missing')
}

/**
 * Turns errors of Stripe into ours: `service_unavailable` if a retry can help. Their messages can contain addresses and numbers of
 * cards, so only kind, code and request id are kept; Stripe's dashboard shows the request.
 */
export async function withStripeErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, param, statusCode, requestId } = error
    const facts = { type, code, param, status: statusCode, request: requestId }
    const cause = new Error(`Stripe refused or did not answer: ${JSON.stringify(facts)}`)
    throw isPassing(error) ? new ServiceError('service_unavailable', undefined, { cause }) : cause
  }
}
