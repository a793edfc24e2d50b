import type { StoredEvent } from '../replay/stored-history.ts'

/** Events that Temporal Cloud bills as one action each (docs.temporal.io/cloud/actions). A child workflow starts for two. */
const actionsOf: Readonly<Record<string, number>> = {
  EVENT_TYPE_WORKFLOW_EXECUTION_STARTED: 1,
  EVENT_TYPE_ACTIVITY_TASK_SCHEDULED: 1,
  EVENT_TYPE_TIMER_STARTED: 1,
  EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED: 1,
  EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED: 2,
  EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED: 1,
  EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED: 1,
}

/**
 * The actions of a history by event. All markers (local activities and patches) of one workflow task are one action, and the
 * attribute that a patch writes is no action. Heartbeats are in no history.
 */
export function billableActions(events: readonly StoredEvent[]): string[] {
  const actions: string[] = []
  let taskWithMarkers: unknown
  for (const event of events) {
    const { eventType } = event
    actions.push(...Array<string>(actionsOf[eventType] ?? 0).fill(eventType))
    if (
      eventType === 'EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES' &&
      !JSON.stringify(event).includes('TemporalChangeVersion')
    ) {
      actions.push(eventType)
    }
    if (eventType !== 'EVENT_TYPE_MARKER_RECORDED') continue
    const task = Object(event['markerRecordedEventAttributes'])['workflowTaskCompletedEventId']
    if (task !== taskWithMarkers) actions.push(eventType)
    taskWithMarkers = task
  }
  return actions
}
