/** Anything that the library throws. */
export class MediaTimelineError extends Error {
  override readonly name: string = 'MediaTimelineError'
}

/** The service answered with an error. Its message says what to do next. */
export class ApiError extends MediaTimelineError {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** A code of the service's table of errors, such as `invalid_request`. */
  readonly code: string
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined
  /** Seconds that the service asks to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, details: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfterSeconds'>) {
    super(message)
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** The service could not be reached, or a request took longer than its time limit. */
export class ConnectionError extends MediaTimelineError {
  override readonly name = 'ConnectionError'
}

/** A job or a run failed. A job that failed cost nothing; of a run, the jobs that had completed are paid. */
export class FailedError extends MediaTimelineError {
  override readonly name = 'FailedError'
  /** A code of the service's table of errors, or `canceled`. */
  readonly code: string
  /** The id of the job or the run. */
  readonly id: string

  constructor(message: string, details: Pick<FailedError, 'code' | 'id'>) {
    super(message)
    this.code = details.code
    this.id = details.id
  }
}

/** A job or a run did not end within the time that the caller gave. It goes on: wait for it again. */
export class WaitTimeoutError extends MediaTimelineError {
  override readonly name = 'WaitTimeoutError'
  readonly id: string

  constructor(id: string, timeoutSeconds: number) {
    super(`${id} did not end within ${timeoutSeconds} seconds. It goes on: wait for it again.`)
    this.id = id
  }
}
