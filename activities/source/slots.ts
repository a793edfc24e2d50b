import { getDomain } from 'tldts'
import { createCounts } from '../../src/core/counts.ts'
import type { Deferral } from '../../src/core/deferral.ts'
import { SlowSourceError } from '../../src/media/source/source-errors.ts'
import { isUnpaid, type PaymentStanding } from '../../src/store/allowance.ts'
import type { MediaRow } from '../../src/store/media-reference.ts'
import type { Dependencies } from '../dependencies.ts'

/** How many activities that wait for servers a worker runs simultaneously. */
export const sourceSlots = 32
/** The part of a queue's task slots for one account, and for one source host, so that neither two accounts nor two servers can occupy all of them. */
const shareOfKey = 1 / 4
/**
 * The most turns of one source: a turn lasts at least a minute, and a source gets an hour in total. Turns are limited too,
 * because the hour starts again on another worker.
 */
const maxTurns = 60

export interface TurnInput {
  /** How often the activity gave its slot back because its source was slow or its work was long. */
  readonly turn: number
}

/** An activity's request for one of the task slots that an account or a source host may use. */
export interface SlotClaim {
  readonly key: string
  /** The number of these slots. A quarter of the queue's if omitted. */
  readonly max?: number
}

/** Runs the work in a slot of every claim; or defers it, without waiting, if one of them has no free slot. */
export type Slots = <T>(claims: readonly SlotClaim[], work: () => Promise<T>) => Promise<T | Deferral>

/** The slots of one queue with this number of task slots on this worker. A slot counts as taken while its activity runs, so a waiting job takes none. */
export function createSlots(taskSlots: number): Slots {
  const share = Math.max(1, Math.floor(taskSlots * shareOfKey))
  const taken = createCounts()
  return async (claims, work) => {
    if (claims.some(({ key, max = share }) => taken.of(key) >= max)) return { deferred: 'no_slot' }
    for (const { key } of claims) taken.add(key)
    try {
      return await work()
    } finally {
      for (const { key } of claims) taken.remove(key)
    }
  }
}

/** The claims of an activity that reads this media: a slot of its account, and a slot of its server if the media is on the internet. */
export function claimsOf({ accountId, mediaKey, mediaUrl }: MediaRow): SlotClaim[] {
  const account = { key: `account ${accountId}` }
  if (mediaKey || !mediaUrl) return [account]
  return [account, { key: `host ${registeredDomainOf(new URL(mediaUrl))}` }]
}

/**
 * The claim of a job that does not wait for a source: of an unpaid account, to its share. Others have none unless they are limited too: a
 * deferral takes a second and more, in which their task slots would be idle.
 */
export async function claimsOfAccount(
  { db }: Pick<Dependencies, 'db'>,
  { jobId }: { readonly jobId: string },
  maxOfPaid?: number,
): Promise<SlotClaim[]> {
  const [account] = await db.$queryRaw<({ readonly id: string } & PaymentStanding)[]>`
    SELECT accounts.id, owner_id AS "ownerId", billing_status AS "billingStatus"
    FROM jobs JOIN accounts ON accounts.id = jobs.account_id WHERE jobs.id = ${jobId}`
  if (!account) return []
  const key = `account ${account.id}`
  if (isUnpaid(account)) return [{ key }]
  return maxOfPaid === undefined ? [] : [{ key, max: maxOfPaid }]
}

/** Defers an activity whose source is too slow, if a later turn can continue after the bytes that have arrived. */
export async function deferWhileSlow<T>(
  { rangedSources }: Pick<Dependencies, 'rangedSources'>,
  id: string,
  { turn }: TurnInput,
  work: () => Promise<T>,
): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SlowSourceError) || turn >= maxTurns || !rangedSources.resume(id)) throw error
    return { deferred: 'slow_source' }
  }
}

/** The registered domain, or the address: a server can have any number of names below one domain. */
function registeredDomainOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}
