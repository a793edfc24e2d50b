import type { Context } from '@temporalio/activity'
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker'
import type { LogFields, Tracing } from '../../src/telemetry/tracing.ts'
import { traceParentOf } from '../../src/temporal/trace-header.ts'
import type { TraceSinks } from '../../workflows/trace-context.ts'

/** A span around each activity of a traced workflow; Temporal's log lines about the activity also have its id. */
export function traceActivity(context: Context, tracing: Tracing): ActivityInterceptors {
  const { activityType, attempt, workflowExecution } = context.info
  let fields: LogFields = {}
  return {
    inbound: {
      execute: (input, next) =>
        tracing.inSpan(
          {
            name: `RunActivity:${activityType}`,
            parent: traceParentOf(input.headers),
            attributes: { 'job.id': workflowExecution?.workflowId, 'job.attempt': attempt },
          },
          () => {
            fields = tracing.logFields()
            return next(input)
          },
        ),
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...fields }) },
  }
}

/** Records the spans of workflow code, which cannot export them itself. */
export function traceSinks(tracing: Tracing): InjectedSinks<TraceSinks> {
  return {
    trace: {
      workflowEnded: {
        fn: ({ workflowType, workflowId }, span) =>
          tracing.recordSpan({ name: `RunWorkflow:${workflowType}`, attributes: { 'job.id': workflowId }, ...span }),
      },
    },
  }
}
