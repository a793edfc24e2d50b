import { createLimit } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'

/** A hash takes one of the process's four threads for 0.1 seconds, and files and name look-ups need the others. */
const maxRunning = 2
/** They wait for about five seconds. */
const maxWaiting = 100

/** Runs the hashing of a password when few are hashed. Throws `service_unavailable` if too many wait. */
export type PasswordTurns = <T>(work: () => Promise<T>) => Promise<T>

export function createPasswordTurns(): PasswordTurns {
  const limit = createLimit(maxRunning)
  let open = 0
  return async (work) => {
    if (open >= maxRunning + maxWaiting) throw new ServiceError('service_unavailable', tooManyPasswords)
    open += 1
    try {
      return await limit(work, new AbortController().signal)
    } finally {
      open -= 1
    }
  }
}

const tooManyPasswords =
  'Too many people sign up or sign in at this moment. Try again after the number of seconds in Retry-After.'
