import type { z } from 'zod'
import { type MaxPrice, maxPriceOf } from '../../src/billing/price.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import { checkMedia, type LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { resolveWindow } from '../../src/endpoints/job-window.ts'
import { checkPictures } from '../../src/jobs/check-pictures.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { assertScope } from '../http/assert-scope.ts'
import type { ApiContext } from '../http/context.ts'
import type { EstimateRequest, estimateSchema } from './estimate-schema.ts'
import { checkNamedJobs } from './named-jobs.ts'
import { type ProbeContext, requestProbe } from './probe.ts'
import { type ValidJobRequest, validateJobRequest } from './validate.ts'

export interface EstimatePriceInput {
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
  if (input.credential) await checkNamedJobs(context.db, input.credential, valid.endpoint.jobsToRead(valid.settings))
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
