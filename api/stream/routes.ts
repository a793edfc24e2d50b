import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { type Credential, isCredentialEnded } from '../../src/accounts/credentials.ts'
import { type Database, isUnreachable } from '../../src/db/database.ts'
import { listOpenWork, workOf } from '../../src/jobs/open-jobs.ts'
import { type Event, findEvent, findNewestEvent, listEvents } from '../../src/webhooks/events.ts'
import type { ApiContext } from '../http/context.ts'
import { ownerRoute } from '../http/route.ts'

/** Proxies close connections on which nothing moves for a minute. */
const beatMilliseconds = 15_000
/** A comment, which readers skip. */
const beat = ':\n\n'
/** The least time between two reads for a stream: what changes more often is sent as it is then. */
const restMilliseconds = 1_000
const eventsPerRead = 100
/** The id of a stream that began before the first event of its account. */
const beforeEvents = 'none'

/**
 * `GET /v1/stream`: server-sent events for the pages of the dashboard. An `event` is one of `GET /v1/events`; a stream that goes on
 * after the id in Last-Event-ID misses none. A `job` is one that has not ended, as it is now. The first message, `ready`, says
 * whether the stream goes on: otherwise the pages read everything again.
 */
export const streamRoute = ownerRoute({
  method: 'GET',
  url: '/v1/stream',
  // Browsers alone read it: others wait for events, jobs and runs.
  schema: { hide: true },
  handler: async (request, { context, account, reply }) => {
    const giveBack = context.streams.take(account.accountId)
    const left = new AbortController()
    // Also the answer to a HEAD, whose stream nobody reads, ends so.
    reply.raw.once('close', () => {
      left.abort()
      giveBack()
    })
    const lastId = request.headers['last-event-id']?.toString()
    return reply
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // Proxies must neither compress it nor wait for more of it.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        // A connection that is kept for another request would delay the server's close.
        connection: 'close',
      })
      .send(
        Readable.from(untilAborted(context, left.signal, (signal) => messages(context, account, { lastId, signal }))),
      )
  },
})

/** The messages until the client leaves or the server closes. */
async function* untilAborted(
  { closing }: Pick<ApiContext, 'closing'>,
  ended: AbortSignal,
  read: (signal: AbortSignal) => AsyncGenerator<string>,
): AsyncGenerator<string> {
  const over = new AbortController()
  const end = () => over.abort()
  const signals = [closing, ended]
  for (const signal of signals) signal.addEventListener('abort', end)
  if (signals.some(({ aborted }) => aborted)) end()
  try {
    yield* read(over.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
}

interface StreamOptions {
  readonly lastId: string | undefined
  readonly signal: AbortSignal
}

async function* messages(
  { db, announcements }: Pick<ApiContext, 'db' | 'announcements'>,
  owner: Credential,
  { lastId, signal }: StreamOptions,
): AsyncGenerator<string> {
  const { accountId } = owner
  const known = lastId === undefined ? null : await findEvent(db, accountId, lastId)
  const isResumed = known !== null || lastId === beforeEvents
  const after = isResumed ? known : await findNewestEvent(db, accountId)
  // Browsers connect again at different times when a process closes.
  yield `retry: ${Math.round(1000 + Math.random() * 2000)}\n${message('ready', { resumed: isResumed }, after?.id ?? beforeEvents)}`
  const readChanges = createChangeReader(db, accountId, after)
  let isBeat = false
  while (!signal.aborted) {
    // Subscribes before the reads, so that nothing between the two is missed.
    const since = performance.now()
    const announced = announcements.next(workOf(accountId), beatMilliseconds, signal)
    try {
      if (await isCredentialEnded(db, owner)) return
      if (isBeat) yield beat
      else yield* readChanges()
      await announced
      isBeat = performance.now() - since >= beatMilliseconds
    } catch (error) {
      // Goes on after the last event that it sent, once the database answers.
      if (!isUnreachable(error)) throw error
      isBeat = false
      yield beat
    }
    if (!isBeat) await setTimeout(restMilliseconds, undefined, { signal }).catch(() => {})
  }
}

/** Reads the messages of what happened since the last call: all events, and the open jobs that have changed. */
function createChangeReader(db: Database, accountId: string, newest: Pick<Event, 'position'> | null) {
  let after = newest ?? undefined
  let shown = new Map<string, string>()
  return async function* readChanges(): AsyncGenerator<string> {
    for (let isMore = true; isMore; ) {
      const events = await listEvents(db, accountId, { after, types: [], limit: eventsPerRead })
      for (const { id, payload } of events) yield message('event', payload, id)
      after = events.at(-1) ?? after
      isMore = events.length === eventsPerRead
    }
    const jobs = await listOpenWork(db, accountId)
    const before = shown
    shown = new Map(jobs.map(({ id, runId, ...job }) => [id, JSON.stringify({ id, run_id: runId, ...job })]))
    for (const [id, text] of shown) if (before.get(id) !== text) yield message('job', text)
  }
}

/** JSON has no line breaks outside of its texts, and escapes those inside. */
function message(event: 'ready' | 'event' | 'job', data: object | string, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`
}
