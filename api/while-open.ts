import { acquireWaitSlot, releaseWaitSlot } from '../src/store/open-waits.ts'
import type { ApiContext } from './context.ts'

/** Waits as one of the account's open waits; undefined, without waiting, where it has as many as it may. */
export async function withWaitSlot<T>(
  { config, db, background }: Pick<ApiContext, 'config' | 'db' | 'background'>,
  { accountId, milliseconds }: { readonly accountId: string; readonly milliseconds: number },
  wait: () => Promise<T>,
): Promise<T | undefined> {
  const id = await acquireWaitSlot(db, { accountId, limit: config.OPEN_WAITS_PER_ACCOUNT, milliseconds })
  if (id === undefined) return undefined
  try {
    return await wait()
  } finally {
    // What cannot be deleted now counts no longer than the wait could have lasted.
    background.run(releaseWaitSlot(db, id).catch(() => {}))
  }
}
