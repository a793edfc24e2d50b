import { Context } from '@temporalio/activity'
import { getDomain } from 'tldts'
import { createCounts } from '../src/core/counts.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { totalDuration } from '../src/core/segments.ts'
import type { MediaEndpoint } from '../src/endpoints/define-endpoint.ts'
import { isUnpaid, type PaymentStanding } from '../src/jobs/admission.ts'
import type { Job, MediaRow } from '../src/jobs/job-rows.ts'
import { SlowSourceError } from '../src/net/source-errors.ts'
import type { Deferral } from '../src/temporal/names.ts'
import type { Dependencies } from './dependencies.ts'

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
type Slots = <T>(claims: readonly SlotClaim[], work: () => Promise<T>) => Promise<T | Deferral>

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

// Fairness between accounts orders what waits for a task slot, and frees none: renders of minutes would delay the jobs of every
// other account. Runs that take seconds therefore have task slots of their own.

/** Measured on one busy core: ten minutes of AAC in stereo at 48 kHz take two seconds to decode. */
const shortTrackSeconds = 600
const shortSamples = shortTrackSeconds * 48_000 * 2
/** Five seconds of 1080p at 25 frames a second, which x264 encodes in two or three seconds on two cores. */
const shortPixels = 5 * 25 * 1920 * 1080
/** Several times what a short run takes, for media that claims less work than it is. */
const maxSeconds = 10

/** Whether the run is expected to take seconds, by what the media says of itself. Work that is worth parts is not. */
export function isShortWork(
  job: Pick<Job, 'startSeconds' | 'endSeconds' | 'settings'>,
  { windowsToRead, billableMilliseconds, producesFiles, models, takesLonger, parts }: MediaEndpoint,
  info: MediaInfo,
): boolean {
  if (models.length > 0 || takesLonger(job.settings) || parts?.isWorthwhile(job, job.settings, info)) return false
  const { audio, video, durationSeconds } = info
  const windows = windowsToRead?.(job, job.settings, durationSeconds)
  const seconds = windows ? totalDuration(windows) : durationSeconds
  // Sound is also decoded between the parts of a joined clip, pictures mostly are not.
  const madeSeconds = producesFiles ? (billableMilliseconds(job, job.settings, durationSeconds) ?? 0) / 1000 : 0
  const pixels = video ? video.width * video.height * video.frameRate * madeSeconds : 0
  const samples = audio.reduce((sum, { sampleRate, channels }) => sum + sampleRate * channels, 0) * seconds
  const hasLittleSound = seconds * Math.max(1, audio.length) <= shortTrackSeconds && samples <= shortSamples
  return hasLittleSound && pixels <= shortPixels
}

/** Runs work that is expected to be short. If it is not, defers it, so that its task slot is free for others. */
export async function deferLongWork<T>(
  work: (limitSignal: AbortSignal) => Promise<T>,
  limitSignal = AbortSignal.timeout(maxSeconds * 1000),
): Promise<T | Deferral> {
  try {
    return await work(limitSignal)
  } catch (error) {
    if (!limitSignal.aborted || Context.current().cancellationSignal.aborted) throw error
    return { deferred: 'long_work' }
  }
}
