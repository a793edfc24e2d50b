import { hostname } from 'node:os'
import { isGrpcServiceError } from '@temporalio/client'
import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import type { Config } from '../config.ts'
import { traceHeader } from '../telemetry/trace-parent.ts'

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

// https://grpc.io/docs/guides/status-codes/
export const grpcNotFound = 5
export const grpcAlreadyExists = 6
export const grpcPermissionDenied = 7
export const grpcUnimplemented = 12

export function hasGrpcCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code
}

/** Headers with the trace context for a workflow. */
export function withTraceParent(headers: Headers, traceParent: string | undefined): Headers {
  return traceParent ? { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(traceParent) } : headers
}

/** Null if the headers have no trace context. */
export function traceParentOf(headers: Headers): string | null {
  const payload = headers[traceHeader]
  return payload ? defaultPayloadConverter.fromPayload<string>(payload) : null
}

const confined = ' confined'

/** The name under which Temporal lists this worker, and by which the API learns whether it confines ffmpeg. */
export function workerIdentity(isConfined: boolean): string {
  return `${process.pid}@${hostname()}${isConfined ? confined : ''}`
}

export function isConfinedWorker(identity: string | null | undefined): boolean {
  return identity?.endsWith(confined) ?? false
}
