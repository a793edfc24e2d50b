import Stripe from 'stripe'

export interface StripeAccess {
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
