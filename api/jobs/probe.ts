import { ServiceError } from '../../src/core/errors.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { counted } from '../../src/core/text.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { createProbe, findProbe, outcomeOf, type Probe } from '../../src/store/probes.ts'
import { takeFromQuota } from '../../src/store/quotas.ts'
import type { StartProbeInput } from '../../src/temporal/workflow-starts.ts'
import type { ApiContext } from '../http/context.ts'
import { type LongPollContext, waitUntil } from '../http/long-poll.ts'
import { withWaitSlot } from '../http/wait-slot.ts'

const heldMilliseconds = 25_000

export type ProbeContext = LongPollContext & Pick<ApiContext, 'jobs' | 'storage' | 'pressure'>

export interface RequestProbeInput {
  readonly credential: Credential
  readonly mediaUrl: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/**
 * The media's description, which a worker reads while this process waits. Throws like a job on the media. If the worker takes
 * too long, throws `service_unavailable` for media in storage, which only load delays, and otherwise `timed_out`.
 */
export async function requestProbe(context: ProbeContext, { credential, mediaUrl, signal }: RequestProbeInput) {
  context.pressure.assertAcceptsWork()
  const { accountId } = credential
  const reference = await resolveMedia(context, accountId, mediaUrl)
  const isStored = reference.object !== null
  await countProbe(context, accountId)
  const milliseconds = heldMilliseconds
  return withWaitSlot(context, { waiter: credential, milliseconds }, async ({ take, givenUp }) => {
    await take()
    if (givenUp.aborted) throw tooManyWaits()
    const { id } = await createProbe(context.db, accountId, reference)
    await startProbe(context, { probeId: id, accountId, isStored })
    const read = () => findProbe(context.db, accountId, id)
    const either = AbortSignal.any([signal, givenUp])
    const probe = await waitUntil(context, { id, read, isDone: isRead, milliseconds, signal: either })
    if (givenUp.aborted && !isRead(probe)) throw tooManyWaits()
    return infoOf(probe, isStored)
  })
}

function tooManyWaits(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'This account has too many requests that wait for an answer. Try again shortly.',
    {
      retryAfterSeconds: 5,
    },
  )
}

function isRead(probe: Probe | null): boolean {
  return probe === null || outcomeOf(probe) !== undefined
}

function infoOf(probe: Probe | null, isStored: boolean): MediaInfo {
  const outcome = probe && outcomeOf(probe)
  if (!outcome) throw tookTooLong(isStored)
  if ('failure' in outcome) throw new ServiceError(outcome.failure.code, outcome.failure.message)
  return outcome.info
}

function tookTooLong(isStored: boolean): ServiceError {
  const what = `Reading the media took more than ${heldMilliseconds / 1000} seconds.`
  return isStored
    ? new ServiceError(
        'service_unavailable',
        `${what} Try again after the number of seconds in Retry-After, or send media_seconds.`,
      )
    : new ServiceError('timed_out', `${what} Send media_seconds, or upload the file.`)
}

async function countProbe({ config, db }: ProbeContext, accountId: string): Promise<void> {
  const quota = { subject: `probes ${accountId}`, limit: config.PROBES_PER_ACCOUNT, windowSeconds: 60 }
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  if (fits) return
  throw new ServiceError(
    'rate_limited',
    `Estimates of this account can read media ${counted(quota.limit, 'time')} a minute. Send media_seconds, or wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds: resetSeconds },
  )
}

async function startProbe({ jobs }: ProbeContext, probe: StartProbeInput): Promise<void> {
  await jobs.startProbe(probe).catch((cause: unknown) => {
    throw new ServiceError(
      'service_unavailable',
      'The service cannot read media now. Try again shortly, or send media_seconds.',
      {
        cause,
      },
    )
  })
}
