/** A time limit with consecutive phases. The signal aborts with the error of the phase that took too long. */
export interface Deadline {
  /** Also aborts with the caller's signal. */
  readonly signal: AbortSignal
  /** Ends the current phase and begins one of at most `milliseconds`. */
  readonly begin: (milliseconds: number, late: () => Error) => void
  readonly stop: () => void
}

export function createDeadline(signal: AbortSignal): Deadline {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    begin: (milliseconds, late) => {
      stop()
      timer = setTimeout(() => controller.abort(late()), milliseconds)
    },
    stop,
  }
}
