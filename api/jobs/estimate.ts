import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { takeOrRefuse } from '../../src/accounts/quotas.ts'
import { type MaxPrice, maxPriceOf } from '../../src/billing/price.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { toUsd } from '../../src/core/money.ts'
import { counted } from '../../src/core/text.ts'
import { maxSeconds } from '../../src/core/time-code.ts'
import { checkMedia, type LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { resolveWindow } from '../../src/endpoints/parse-settings.ts'
import { createProbe, findProbe, outcomeOf, type Probe } from '../../src/jobs/probes.ts'
import { checkPictures, resolveMedia } from '../../src/jobs/resolve-media.ts'
import type { StartProbeInput } from '../../src/temporal/job-client.ts'
import { assertScope } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import { abortOnDisconnect, type LongPollContext, waitUntil, withWaitSlot } from '../http/long-poll.ts'
import { bodyErrors, errorEnvelope, optionalKeyRoute, response } from '../http/route.ts'
import { checkNamed } from './create.ts'
import { jobRequestWith, type ValidJobRequest, validateJobRequest } from './validate.ts'

/** Body of `POST /v1/estimate`: the body of a job, and optionally the length of its media. */
export const estimateRequest = jobRequestWith({
  media_seconds: z
    .number()
    .positive()
    .max(maxSeconds)
    .optional()
    .describe('Length of the media, which is then not read.'),
}).meta({ examples: [{ endpoint: 'audio/detect-silence', media_seconds: 3600 }] })

type EstimateRequest = z.output<typeof estimateRequest>

export const estimateSchema = z.object({
  endpoint: z.string(),
  estimated_price_usd: z
    .number()
    .describe(
      'The amount that is held for the job. The final price is never higher, unless media_seconds was sent and the media is longer.',
    ),
  billable_seconds: z.number().describe('The length that the price is computed from.'),
  media_seconds: z.number().optional().describe('Length of the media, if it was sent or read.'),
  price: z.object({ usd: z.number(), unit: z.string() }).describe('Price per minute, as in the catalog.'),
  assumptions: z.array(z.string()),
  warnings: z.array(z.string()).describe('Parts of the request that the job would ignore, such as unknown settings.'),
})

const estimateEnvelope = response('Estimate', { ...estimateSchema.shape })

/** `POST /v1/estimate`, with a key or without. */
export const estimateRoute = optionalKeyRoute({
  method: 'POST',
  url: '/v1/estimate',
  schema: {
    operationId: 'estimatePrice',
    tags: ['jobs'],
    summary: 'Estimate the price of a job before it is created',
    description:
      'With media_seconds, no media is read and no key is needed. With a key and a media_url, the service reads the media as the job would, for at most 25 seconds, and returns the estimated price that the job would have. No money is held.',
    body: estimateRequest,
    response: {
      ...bodyErrors,
      200: estimateEnvelope,
      404: errorEnvelope,
      409: errorEnvelope,
      422: errorEnvelope,
      501: errorEnvelope,
    },
  },
  handler: async (request, { context, credential, reply }) => {
    const { id, body } = request
    const signal = abortOnDisconnect(reply)
    const estimate = await estimatePrice(context, { request: body, credential, signal })
    return { request_id: id, ...presentEstimate(estimate) }
  },
})

interface EstimatePriceInput {
  readonly request: EstimateRequest
  /** Without a credential, no media is read. */
  readonly credential: Credential | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface Estimate {
  readonly endpoint: LiveEndpoint
  readonly maxPrice: MaxPrice
  /** Undefined if the price does not depend on it. */
  readonly mediaSeconds: number | undefined
  readonly assumptions: readonly string[]
  readonly warnings: readonly string[]
}

/** The maximum hold of a job with this request, computed as for a job, from the media length that is sent, read or not needed. */
export async function estimatePrice(
  context: ProbeContext & Pick<ApiContext, 'models'>,
  input: EstimatePriceInput,
): Promise<Estimate> {
  const { media_seconds: given, ...request } = input.request
  if (request.media_url?.trim() === '') {
    throw new ServiceError('invalid_request', 'media_url is blank. Send a URL, or leave it out and send media_seconds.')
  }
  if (input.credential) assertScope(input.credential, request.endpoint)
  const valid = validateJobRequest(request, context.models)
  if (input.credential) await checkNamed(context.db, input.credential, valid)
  const { mediaSeconds, assumption } = await mediaLengthForEstimate(context, input, valid, given)
  const { endpoint, window, settings, warnings } = valid
  const maxPrice = maxPriceOf(endpoint, { window, settings, mediaSeconds })
  if (!maxPrice) throw lengthMissing(input)
  return {
    endpoint,
    maxPrice,
    mediaSeconds,
    assumptions: [
      assumption,
      ...assumedOutput(endpoint, maxPrice),
      'A job that is canceled or fails costs nothing; a job that produces less than estimated costs less.',
    ],
    warnings,
  }
}

function assumedOutput({ price }: LiveEndpoint, { billableMilliseconds }: MaxPrice): string[] {
  if (price.unit !== 'output_minute') return []
  return [
    `The files are ${billableMilliseconds / 1000} seconds long in all, which is the most that these settings can make.`,
  ]
}

export function presentEstimate(estimate: Estimate): z.output<typeof estimateSchema> {
  const { endpoint, maxPrice, mediaSeconds, assumptions, warnings } = estimate
  return {
    endpoint: endpoint.id,
    estimated_price_usd: toUsd(maxPrice.microUsd),
    billable_seconds: maxPrice.billableMilliseconds / 1000,
    ...(mediaSeconds === undefined ? {} : { media_seconds: mediaSeconds }),
    price: { usd: toUsd(endpoint.price.rateMicroUsdPerMinute), unit: endpoint.price.unit },
    assumptions: [...assumptions],
    warnings: [...warnings],
  }
}

interface Length {
  readonly mediaSeconds: number | undefined
  readonly assumption: string
}

async function mediaLengthForEstimate(
  context: ProbeContext,
  { request: { media_url: mediaUrl }, credential, signal }: EstimatePriceInput,
  { endpoint, window, settings, uploads }: ValidJobRequest,
  given: number | undefined,
): Promise<Length> {
  if (!endpoint.readsMedia) return { mediaSeconds: undefined, assumption: 'It reads no media and costs nothing.' }
  if (uploads) {
    if (credential) await checkPictures(context, credential.accountId, uploads)
    return { mediaSeconds: undefined, assumption: 'Each picture counts as one second of media.' }
  }
  if (given !== undefined) {
    resolveWindow(window, given)
    return { mediaSeconds: given, assumption: 'The media is as long as media_seconds says. It was not read.' }
  }
  if (credential && mediaUrl !== undefined) {
    const info = await requestProbe(context, { credential, mediaUrl, signal })
    checkMedia(endpoint, { ...window, settings }, info)
    return { mediaSeconds: info.durationSeconds, assumption: 'The price is for the media as it is now.' }
  }
  return { mediaSeconds: undefined, assumption: 'The media is long enough for what is asked for. It was not read.' }
}

function lengthMissing({ request, credential }: EstimatePriceInput): ServiceError {
  if (!credential && request.media_url !== undefined) {
    return new ServiceError('missing_api_key', 'Reading media_url needs an API key. Send one, or send media_seconds.')
  }
  return new ServiceError(
    'invalid_request',
    'The price depends on the length of the media. Send media_seconds. To have the media read, send media_url with an API key.',
  )
}

const heldMilliseconds = 25_000

export type ProbeContext = LongPollContext &
  Pick<ApiContext, 'createsByAccount' | 'jobs' | 'logger' | 'storage' | 'pressure'>

interface RequestProbeInput {
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
  const { config, db } = context
  const quota = { subject: `probes ${accountId}`, limit: config.PROBES_PER_ACCOUNT, windowSeconds: 60 }
  await takeOrRefuse(
    db,
    quota,
    `Estimates of this account can read media ${counted(quota.limit, 'time')} a minute. Send media_seconds, or wait for the number of seconds in Retry-After.`,
  )
  const milliseconds = heldMilliseconds
  return withWaitSlot(context, { waiter: credential, milliseconds }, async ({ take, givenUp }) => {
    await take()
    if (givenUp.aborted) throw tooManyWaits()
    const { id } = await context.createsByAccount(accountId, () => createProbe(db, accountId, reference))
    await startProbe(context, { probeId: id, accountId, isStored })
    const read = () => findProbe(db, accountId, id)
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
