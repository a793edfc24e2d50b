import { Prisma } from './generated/client.ts'

/** No server, refused, timed out, too many connections, no free connection in the pool. */
const unreachableCodes = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']

/** Whether the database could not be reached, so that trying again can help. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true
  // The pool's own error has no code.
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') return true
  return error instanceof Prisma.PrismaClientKnownRequestError && unreachableCodes.includes(error.code)
}
