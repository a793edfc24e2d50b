import { getDomain } from 'tldts'
import type { Deferral } from '../../src/core/deferral.ts'
import { hasDiskSpace } from '../../src/core/disk-space.ts'
import { SlowSourceError } from '../../src/media/source/source-errors.ts'
import type { MediaRow } from '../../src/store/media-reference.ts'
import type { Dependencies } from '../dependencies.ts'

/** Activities of a queue that a worker runs simultaneously. */
export const sourceSlots = 32
/** For one account, and for one source host: so that neither two accounts nor two servers keep all others waiting. */
const slotsPerKey = sourceSlots / 4
/** A slot lasts at least a minute, and a source gets an hour in all. Counted here too, because the hour starts again on another worker. */
const maxTurns = 60

/** Sent by workflows that run a deferred activity again. Those of earlier versions do not, so their activities are never deferred. */
export interface TurnInput {
  /** How often the activity gave its slot back because of a slow source. */
  readonly turn?: number
}

/** What an activity claims a slot of. `max` is the number of slots with this key. */
export interface SlotClaim {
  readonly key: string
  readonly max?: number
}

/** Runs the work in a slot of every claim; or defers it, without waiting, if one of them has no free slot. */
export type Slots = <T>(claims: readonly SlotClaim[], work: () => Promise<T>) => Promise<T | Deferral>

/** The slots of one queue on this worker. They are counted when an activity takes them, so a job that waits for one has none. */
export function createSlots(): Slots {
  const taken = new Map<string, number>()
  const add = (key: string, count: number) => {
    const left = (taken.get(key) ?? 0) + count
    if (left === 0) taken.delete(key)
    else taken.set(key, left)
  }
  return async (claims, work) => {
    if (claims.some(({ key, max = slotsPerKey }) => (taken.get(key) ?? 0) >= max)) return { deferred: 'no_slot' }
    for (const { key } of claims) add(key, 1)
    try {
      return await work()
    } finally {
      for (const { key } of claims) add(key, -1)
    }
  }
}

/** The claims of an activity on this media: one account's, and one server's if it is on the internet. */
export function claimsOf({ accountId, mediaKey, mediaUrl }: MediaRow): SlotClaim[] {
  const account = { key: `account ${accountId}` }
  return mediaKey || !mediaUrl ? [account] : [account, { key: `host ${ownerOf(new URL(mediaUrl))}` }]
}

/** Defers an activity whose source is too slow, if a later turn can go on with the bytes that have arrived. */
export async function deferWhileSlow<T>(
  { rangedSources }: Pick<Dependencies, 'rangedSources'>,
  id: string,
  turn: number,
  work: () => Promise<T>,
): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SlowSourceError) || turn >= maxTurns || !rangedSources.resume(id)) throw error
    return { deferred: 'slow_source' }
  }
}

/** Defers an activity while this worker's disk is nearly full, before it writes: the disk may have another process's database. */
export async function onFreeDisk<T>(
  { workDir, logger }: Pick<Dependencies, 'workDir' | 'logger'>,
  { turn }: TurnInput,
  work: () => Promise<T>,
): Promise<T | Deferral> {
  if (turn === undefined || (await hasDiskSpace(workDir).catch(() => true))) return work()
  logger.warn('the disk of the work folder is nearly full; activities wait')
  return { deferred: 'no_disk' }
}

/** The name that somebody registered, or the address: one server has any number of names below it. */
function ownerOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}
