import type { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import type { Logger } from 'pino'
import { errorTable, ServiceError } from '../../src/core/errors.ts'

/** Maps every error of an activity to a code of the table, and logs the original. No cause leaves the worker. */
export class ErrorTableInterceptor implements ActivityInboundCallsInterceptor {
  readonly #context: Context
  readonly #logger: Logger

  constructor(context: Context, logger: Logger) {
    this.#context = context
    this.#logger = logger
  }

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    try {
      return await next(input)
    } catch (error) {
      // An aborted activity can throw any error. Temporal decides whether the abort is a cancellation.
      if (this.#context.cancellationSignal.aborted) await this.#context.cancelled
      throw this.#translate(error)
    }
  }

  #translate(error: unknown): ApplicationFailure {
    const { activityType: activity, attempt, workflowExecution } = this.#context.info
    const known = error instanceof ServiceError
    const code = known ? error.code : 'server_error'
    this.#logger.warn({ jobId: workflowExecution?.workflowId, activity, attempt, code, err: error }, 'activity failed')
    return ApplicationFailure.create({
      type: code,
      message: known ? error.message : errorTable.server_error.message,
      nonRetryable: known && !error.isRetriedAfter(attempt),
    })
  }
}
