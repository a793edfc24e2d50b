import { isGrpcServiceError } from '@temporalio/client'

// https://grpc.io/docs/guides/status-codes/
export const grpcNotFound = 5
export const grpcAlreadyExists = 6
export const grpcPermissionDenied = 7
export const grpcUnimplemented = 12

export function hasGrpcCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && Number(error.code) === code
}
