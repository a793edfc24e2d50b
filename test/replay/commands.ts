import { z } from 'zod'
import { modelTaskQueue, shortTaskQueue, sourceTaskQueue, storageTaskQueue } from '../../src/temporal/names.ts'
import type { StoredEvent } from './stored-history.ts'

/** A decision of a workflow; a replay fails if the code decides otherwise. */
export interface Command {
  readonly kind: string
  /** The activity, regular or local, or the patch. */
  readonly name?: string
}

const attributes = z.object({
  workflowTaskCompletedEventId: z.string(),
  activityType: z.object({ name: z.string() }).optional(),
  taskQueue: z.object({ name: z.string() }).optional(),
})

const marker = z.object({
  markerName: z.string(),
  details: z.record(z.string(), z.object({ payloads: z.array(z.unknown()) })),
})

const markedName = z.object({
  json: z.union([
    z.object({ activity_type: z.string() }).transform((data) => data.activity_type),
    z.object({ id: z.string() }).transform((data) => data.id),
  ]),
})

/** The workflow's decisions, in order, without its inputs and without the worker's tasks. */
export function commandsOf(events: readonly StoredEvent[]): Command[] {
  return events.flatMap((event) => {
    const [, given] = Object.entries(event).find(([key]) => key.endsWith('EventAttributes')) ?? []
    const { data } = attributes.safeParse(given)
    if (!data) return []
    const name = nameOf(data) ?? nameInMarker(given)
    return { kind: event.eventType.replace('EVENT_TYPE_', ''), ...(name === undefined ? {} : { name }) }
  })
}

/** The activities that the workflow scheduled, in order. */
export function stepsOf(events: readonly StoredEvent[]): string[] {
  return commandsOf(events.filter((event) => !isPatch(event))).flatMap(({ kind, name }) => {
    const isStep = kind === 'ACTIVITY_TASK_SCHEDULED' || kind === 'MARKER_RECORDED'
    return isStep && name !== undefined ? [name] : []
  })
}

/** Distinguishes the activities that exist on several task queues. */
function nameOf({ activityType, taskQueue }: z.output<typeof attributes>): string | undefined {
  if (activityType && taskQueue?.name === storageTaskQueue) return `${activityType.name} from storage`
  if (activityType && taskQueue?.name === shortTaskQueue) return `${activityType.name} among short ones`
  if (activityType && taskQueue?.name === modelTaskQueue) return `${activityType.name} among models`
  const runsAmongSources = ['run', 'runPart'].includes(activityType?.name ?? '') && taskQueue?.name === sourceTaskQueue
  return runsAmongSources ? `${activityType?.name} among sources` : activityType?.name
}

function isPatch(event: StoredEvent): boolean {
  return Object.values(event).some((given) => marker.safeParse(given).data?.markerName === 'core_patch')
}

function nameInMarker(given: unknown): string | undefined {
  const details = marker.safeParse(given).data?.details ?? {}
  const payloads = Object.values(details).flatMap((detail) => detail.payloads)
  return payloads.map((payload) => markedName.safeParse(payload).data?.json).find((name) => name !== undefined)
}
