import { acceptedFormats } from './media.ts'

/** A kind of request. `password`: those that send the password of an owner. */
export type RequestKind = 'page' | 'password' | 'key' | 'run'

export interface ErrorRow {
  /** HTTP status of a response with this error. Codes with 422 say why the work of a job or an estimate failed; a failed job can have other codes too. */
  readonly httpStatus: number
  /** Whether an activity that failed with it is retried; a throw can override this. */
  readonly retryable: boolean
  /** The only requests that meet it, for the OpenAPI document. Left out if all can. */
  readonly metBy?: RequestKind
  /** Where callers see it, if its status does not say it, and when a retry helps, if `retryable` does not: for the page of errors. */
  readonly seen?: string
  readonly worthRetrying?: string
  /** The default public message: what to do next. */
  readonly message: string
}

const inJob = 'in `job.error`'
const lengthKnown = `402, or ${inJob} once the length of the media is known`

/** Every error that a caller can see. */
// biome-ignore format: a table reads by rows
export const errorTable = {
  missing_api_key: { httpStatus: 401, retryable: false, metBy: 'key', message: 'Send your API key as "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { httpStatus: 401, retryable: false, metBy: 'key', message: 'This API key or connector token is wrong, expired or revoked. Use a current one: owners create them in the dashboard, under Developers.' },
  sign_in_required: { httpStatus: 401, retryable: false, metBy: 'page', message: 'Sign in first.' },
  wrong_email_or_password: { httpStatus: 401, retryable: false, metBy: 'password', message: 'The email address or the password is wrong, or the address is not confirmed yet. Open the link in our mail, or request a mail to choose a new password.' },
  billing_required: { httpStatus: 402, retryable: false, seen: lengthKnown, message: 'The free credits do not cover this job. Use shorter media, or activate billing where the service offers it.' },
  spend_cap_reached: { httpStatus: 402, retryable: false, seen: lengthKnown, message: 'This job would exceed the monthly cap. Raise the cap, or wait for the next month.' },
  price_limit_reached: { httpStatus: 402, retryable: false, metBy: 'run', seen: '402, or in `run.error` or `job.error`', message: 'This run or job can cost more than max_price_usd. Raise max_price_usd, or leave it out.' },
  connector_scope_denied: { httpStatus: 403, retryable: false, metBy: 'key', message: 'This credential does not cover that endpoint. Use one with a wider scope.' },
  account_suspended: { httpStatus: 403, retryable: false, message: 'This account is suspended. It can read and delete, and cannot create anything. Contact the operator of the service.' },
  csrf_failed: { httpStatus: 403, retryable: false, metBy: 'page', message: 'Send the header Origin with the address of the service. In a browser, reload the page.' },
  not_found: { httpStatus: 404, retryable: false, message: 'Nothing exists at this path for this account. Check the path and the id.' },
  method_not_allowed: { httpStatus: 405, retryable: false, message: 'This path does not support that method. The Allow header lists the methods that it supports.' },
  request_timeout: { httpStatus: 408, retryable: true, message: 'The request did not arrive in time. Send it again.' },
  idempotency_conflict: { httpStatus: 409, retryable: false, message: 'This Idempotency-Key was used with another request body. Send a new key for a new request.' },
  conflict: { httpStatus: 409, retryable: false, worthRetrying: 'after a change', message: 'The job, run or upload is not in the state that this request needs. Read it again, and retry once its state has changed.' },
  payload_too_large: { httpStatus: 413, retryable: false, message: 'The body is larger than this path accepts. Send a smaller one.' },
  storage_limit_reached: { httpStatus: 413, retryable: false, worthRetrying: 'after uploads were deleted or have expired', message: 'The uploads of this account take all the space that they may take. Delete some that you no longer need.' },
  unsupported_file_type: { httpStatus: 415, retryable: false, seen: `415, or ${inJob}`, message: `This file type is not accepted. Use one of ${acceptedFormats}.` },
  unsupported_content_type: { httpStatus: 415, retryable: false, message: 'Send a JSON body, with the header "content-type: application/json".' },
  range_not_satisfiable: { httpStatus: 416, retryable: false, message: 'The range starts past the end of the file. Send one within the length that Content-Range states.' },
  invalid_request: { httpStatus: 400, retryable: false, seen: `400, or ${inJob} if it shows only when the media is read, such as a start past its end`, message: 'The request is not valid. Compare it with the reference.' },
  unsupported_version: { httpStatus: 400, retryable: false, message: 'Unknown x-api-version. Leave the header out, or send the version that responses carry.' },
  rate_limited: { httpStatus: 429, retryable: true, message: 'Too many requests. Wait for the number of seconds in Retry-After.' },
  server_error: { httpStatus: 500, retryable: true, message: 'Something failed on our side. Try again. If the problem persists, contact support with the request id.' },
  endpoint_unavailable: { httpStatus: 501, retryable: false, message: 'This endpoint is a preview and does not run yet. GET /v1/catalog lists the live endpoints.' },
  service_unavailable: { httpStatus: 503, retryable: true, message: 'The service is not ready. Try again shortly.' },
  processing_failed: { httpStatus: 422, retryable: false, message: 'The media could not be processed. Check that it plays, or convert it to MP4 with H.264 and AAC.' },
  media_unreachable: { httpStatus: 422, retryable: false, message: 'The media URL could not be read. Check that it opens without sign-in, or upload the file.' },
  media_blocked: { httpStatus: 422, retryable: false, seen: `422, or ${inJob}. If the URL itself shows that it is not allowed, nothing is created: 400 \`invalid_request\``, message: 'The media URL points to an address that is not allowed. Use a public http(s) URL on port 80 or 443, without a password, or upload the file.' },
  media_too_large: { httpStatus: 422, retryable: false, message: 'The media is larger than this service accepts. Use a smaller file.' },
  no_audio_track: { httpStatus: 422, retryable: false, message: 'The media has no audio track, and this endpoint needs one. Use other media, or another endpoint.' },
  no_video_track: { httpStatus: 422, retryable: false, message: 'The media has no video track, and this endpoint needs one. Use other media, or another endpoint.' },
  nothing_found: { httpStatus: 422, retryable: false, seen: inJob, message: 'The search found nothing for this step to work on. Search for something else, lower its thresholds, or choose other media.' },
  cut_too_large: { httpStatus: 422, retryable: false, seen: inJob, message: 'The run would cut more than 80 % of the media. Send allow_large_cuts if that is meant, or change what is cut.' },
  canceled: { httpStatus: 422, retryable: false, seen: inJob, message: 'The job was canceled. It costs nothing.' },
  timed_out: { httpStatus: 422, retryable: false, seen: `422 if reading the media for a price takes too long: send \`media_seconds\`. Or ${inJob}`, message: 'The job exceeded the time limit for its media. Try a shorter window.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

export const errorCodes = Object.keys(errorTable).filter(isErrorCode)

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorTable, value)
}

interface ServiceErrorOptions {
  /** The original error, for the log, never for the caller. */
  readonly cause?: unknown
  readonly retryable?: boolean
  /** The number of attempts after which an activity is not retried, although the error is retryable. */
  readonly maxAttempts?: number
  /** The job that the error is about. */
  readonly jobId?: string
  /** How long to wait before a retry, if known. */
  readonly retryAfterSeconds?: number
}

/** An error of the table. `message` is public and says what to do next; `cause` has the internals. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly maxAttempts: number
  readonly jobId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message?: string, options: ServiceErrorOptions = {}) {
    super(message ?? errorTable[code].message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? errorTable[code].retryable
    this.maxAttempts = options.maxAttempts ?? Number.POSITIVE_INFINITY
    this.jobId = options.jobId
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  /** Whether an activity that failed with this error runs again. `attempt` counts from 1. */
  isRetriedAfter(attempt: number): boolean {
    return this.retryable && attempt < this.maxAttempts
  }

  get httpStatus(): number {
    return errorTable[this.code].httpStatus
  }
}

/** `message` says what the caller has to change. */
export function invalidRequest(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}

/** Runs work that fails again with the same input, so its failures are not retryable. */
export function withoutRetry<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw cause instanceof ServiceError
      ? cause
      : new ServiceError('server_error', undefined, { cause, retryable: false })
  }
}

// One text for the API, for agents and for workers.

export const installModels = 'the operator installs its models with: npm run models -- fetch'

/** The answer to jobs whose models are not installed. */
export const notInstalled = `This endpoint is not installed here: ${installModels}`
