import { setTimeout as delay } from 'node:timers/promises'

/** Waits until `check` is true; it can reject meanwhile. Throws with `what` when the time is over. */
export async function until(what: string, check: () => Promise<boolean> | boolean, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000
  let last: unknown
  for (;;) {
    try {
      if (await check()) return
      last = undefined
    } catch (error) {
      last = error
    }
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`, { cause: last })
    await delay(50)
  }
}
