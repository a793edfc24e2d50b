import { ServiceError } from './errors.ts'

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Runs a step on the disk. A full, read-only or failing disk becomes a retryable `server_error`. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new ServiceError('server_error', undefined, { cause: error, retryable: true })
    }
    throw error
  }
}
