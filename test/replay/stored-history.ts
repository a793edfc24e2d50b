import type { History } from '@temporalio/common/lib/proto-utils.js'
import temporalio from '@temporalio/proto'
import { z } from 'zod'

// A history as a file: one event per line, with readable payloads, and without everything that differs between recordings:
// times, run ids, processes, hosts and stacks. A replay compares none of these.

const proto = temporalio.temporal.api.history.v1.History
const json = z.json()
type Json = z.output<typeof json>
type JsonObject = { [key: string]: Json }

const storedEvent = z.object({ eventId: z.string(), eventType: z.string() }).catchall(json)
export type StoredEvent = z.output<typeof storedEvent>

const leftOut = new Set([
  'eventTime',
  'identity',
  'binaryChecksum',
  'workerVersion',
  'meteringMetadata',
  'historySizeBytes',
  'taskId',
  'requestId',
  'version',
  'stackTrace',
])

const jsonEncoding = base64('json/plain')
const firstSecond = Date.parse('2026-01-01T00:00:00Z') / 1000
const anyRun = '00000000-0000-4000-8000-000000000000'
const anyTime = { seconds: firstSecond, nanos: 0 }
const fixed = new Map<string, Json>([
  ['originalExecutionRunId', anyRun],
  ['firstExecutionRunId', anyRun],
  ['complete_time', anyTime],
  ['original_schedule_time', anyTime],
])

/** The events of a history as they are stored. */
export function storedEvents(history: History): StoredEvent[] {
  const { events } = proto.toObject(proto.create(history), { longs: String, enums: String, bytes: String })
  return z.array(storedEvent).parse(scrub(json.parse(events)))
}

/** The text of a history's file. */
export function writeEvents(events: readonly StoredEvent[]): string {
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`
}

export function readEvents(text: string): StoredEvent[] {
  return z.object({ events: z.array(storedEvent) }).parse(JSON.parse(text)).events
}

/** The history for a worker's replay, with events a second apart. */
export function toHistory(events: readonly StoredEvent[]): History {
  return proto.fromObject({
    events: events.map((event) => ({
      ...mapObject(event, encodePayloads),
      eventTime: { seconds: firstSecond + Number(event.eventId) },
    })),
  })
}

function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map(scrub)
  if (!isObject(value)) return value
  const { metadata, data, kind } = value
  if (isObject(metadata) && metadata['encoding'] === jsonEncoding && typeof data === 'string') {
    return { json: scrub(json.parse(JSON.parse(Buffer.from(data, 'base64').toString()))) }
  }
  const kept = Object.entries(value).filter(([key]) => !leftOut.has(key))
  const scrubbed = Object.fromEntries(kept.map(([key, inner]) => [key, fixed.get(key) ?? inOrder(key, scrub(inner))]))
  return kind === 'TASK_QUEUE_KIND_STICKY' ? { ...scrubbed, name: 'sticky' } : scrubbed
}

/** Sorts unordered values, so that recordings are equal. */
function inOrder(key: string, value: Json): Json {
  if (key === 'coreUsedFlags' && Array.isArray(value)) return value.toSorted((a, b) => Number(a) - Number(b))
  if (!['details', 'fields', 'indexedFields'].includes(key) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)))
}

function encodePayloads(value: Json): Json {
  if (Array.isArray(value)) return value.map(encodePayloads)
  if (!isObject(value)) return value
  return Object.keys(value).join() === 'json'
    ? { metadata: { encoding: jsonEncoding }, data: base64(JSON.stringify(value['json'])) }
    : mapObject(value, encodePayloads)
}

function mapObject(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
