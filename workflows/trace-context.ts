import {
  defaultPayloadConverter,
  proxySinks,
  type Sinks,
  type WorkflowExecuteInput,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow'
import { formatTraceParent, parseTraceParent, traceHeader } from '../src/telemetry/trace-parent.ts'
import { describeFailure } from './failure.ts'

/** The span of a workflow run, which is the parent of the spans of its activities. */
export interface WorkflowSpan {
  readonly parent: string
  readonly spanId: string
  readonly startMilliseconds: number
  readonly endMilliseconds: number
  readonly errorType?: string
}

export interface TraceSinks extends Sinks {
  trace: { workflowEnded(span: WorkflowSpan): void }
}

/**
 * Carries the trace context through workflow code, from the header of the start to the headers of every activity. The span's id
 * is derived from the run's id, so that replays are deterministic. Does nothing without the header.
 */
export function interceptors(): WorkflowInterceptors {
  const { trace } = proxySinks<TraceSinks>()
  let passedOn: WorkflowExecuteInput['headers'] = {}
  let logFields = {}
  const carrying = <Input extends Pick<WorkflowExecuteInput, 'headers'>>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...passedOn },
  })

  return {
    inbound: [
      {
        execute: async (input, next) => {
          const header = input.headers[traceHeader]
          const parent = header && defaultPayloadConverter.fromPayload<string>(header)
          const above = parent && parseTraceParent(parent)
          if (!parent || !above) return next(input)

          const { runId, startTime } = workflowInfo()
          const spanId = runId.replaceAll('-', '').slice(-16)
          passedOn = { [traceHeader]: defaultPayloadConverter.toPayload(formatTraceParent({ ...above, spanId })) }
          logFields = { trace_id: above.traceId, span_id: spanId }
          const end = (failed: { errorType?: string } = {}) =>
            trace.workflowEnded({
              parent,
              spanId,
              startMilliseconds: startTime.getTime(),
              endMilliseconds: Date.now(),
              ...failed,
            })
          try {
            const result = await next(input)
            end()
            return result
          } catch (error) {
            end({ errorType: describeFailure(error).code })
            throw error
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(carrying(input)),
        scheduleLocalActivity: (input, next) => next(carrying(input)),
        startChildWorkflowExecution: (input, next) => next(carrying(input)),
        getLogAttributes: (attributes, next) => next({ ...attributes, ...logFields }),
      },
    ],
  }
}
