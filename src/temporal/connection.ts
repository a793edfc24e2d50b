import type { Config } from '../config.ts'

export type TemporalConfig = Pick<
  Config,
  'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_TLS' | 'TEMPORAL_API_KEY'
>

/** Connection options of client and worker: plain on loopback, TLS with an API key for Temporal Cloud. */
export function connectionOptions(config: TemporalConfig) {
  return {
    address: config.TEMPORAL_ADDRESS,
    ...(config.TEMPORAL_TLS || config.TEMPORAL_API_KEY ? { tls: true } : {}),
    ...(config.TEMPORAL_API_KEY ? { apiKey: config.TEMPORAL_API_KEY } : {}),
  }
}

/** The namespace does not exist: what an operator does about it. */
export class NoNamespaceError extends Error {
  override readonly name = 'NoNamespaceError'

  constructor({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }: TemporalConfig, cause: unknown) {
    const where = `Temporal at ${address} has no namespace ${namespace}`
    super(`TEMPORAL_NAMESPACE: ${where}: run setup (npm run setup:temporal) first`, { cause })
  }
}

/** The message for an operator if no server answers. */
export function noTemporal({ TEMPORAL_ADDRESS: address }: TemporalConfig, cause: unknown): Error {
  return new Error(`TEMPORAL_ADDRESS: no Temporal answers at ${address}`, { cause })
}
