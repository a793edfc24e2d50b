import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../../src/db/database.ts'

interface Patience {
  readonly attempts?: number
  readonly milliseconds?: number
}

/**
 * Repeats work of the harness on the database while it cannot be reached, for up to two minutes: the cases may overload the machine,
 * and the run is about them. The work can have happened in an attempt that failed.
 */
export async function onceReachable<T>(
  work: () => Promise<T>,
  { attempts = 60, milliseconds = 2000 }: Patience = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || attempt === attempts) throw error
      await sleep(milliseconds)
    }
  }
}
