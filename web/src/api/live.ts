import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { components } from './generated/schema.d.ts'
import { inTurn } from './in-turn.ts'

type Job = components['schemas']['Job']

const jobChange = z.object({ id: z.string(), status: z.enum(['queued', 'running']), progress: z.number() })
const event = z.object({ data: z.object({ id: z.string(), object: z.string() }) })
const ready = z.object({ resumed: z.boolean() })
const ended = z.object({ status: z.enum(['completed', 'failed']) })

/** A message from the tab that reads the stream to the other tabs. */
type Told =
  | { readonly kind: 'live'; readonly isLive: boolean }
  | { readonly kind: 'job'; readonly job: z.output<typeof jobChange> }
  | { readonly kind: 'ended'; readonly object: string; readonly id: string }
  /** Something may have been missed. */
  | { readonly kind: 'everything' }

/** What another tab tells, or asks when it opens. */
type Message = Told | { readonly kind: 'is it live?' }

let isLive = false

/** How often to ask the service again, which is not needed while it tells this page of changes. */
export function unlessLive(amount: number): number | false {
  return isLive ? false : amount
}

const retryMs = 30_000

/** A deploy takes less. */
const outageMs = 10_000

let outage: ReturnType<typeof setTimeout> | undefined
let isOut = false
const onOutage = new Set<() => void>()

/** Whether the service has not told this page anything for a while. */
export const serviceOutage = {
  subscribe: (onChange: () => void) => {
    onOutage.add(onChange)
    return () => onOutage.delete(onChange)
  },
  read: () => isOut,
}

function setOut(isNowOut: boolean): void {
  isOut = isNowOut
  for (const onChange of onOutage) onChange()
}

function setLive(isNowLive: boolean): void {
  isLive = isNowLive
  if (isLive) {
    clearTimeout(outage)
    outage = undefined
    setOut(false)
  } else outage ??= setTimeout(() => setOut(true), outageMs)
}

/**
 * Keeps what the pages have read as it is now, by the stream of the service. Browsers open few connections to a service, so one tab
 * reads it for all. Without locks, as on a plain http address of another machine, the pages ask again instead.
 */
export function followChanges(queryClient: QueryClient): () => void {
  if (!('locks' in navigator)) return () => {}
  const left = new AbortController()
  const channel = new BroadcastChannel('changes')
  const apply = applierTo(queryClient)
  const tell = (told: Told) => {
    apply(told)
    channel.postMessage(told)
  }
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'is it live?') apply(data)
    else if (isLeader) channel.postMessage({ kind: 'live', isLive } satisfies Told)
  }
  channel.postMessage({ kind: 'is it live?' } satisfies Message)
  const lead = () =>
    new Promise<void>((resolve) => {
      isLeader = true
      const stop = readStream(tell)
      left.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  // Rejects when the page leaves before its turn.
  navigator.locks.request('changes', { signal: left.signal }, lead).catch(() => {})
  return () => {
    left.abort()
    channel.close()
    clearTimeout(outage)
    outage = undefined
    isLive = false
    setOut(false)
  }
}

/** Reads the stream until it is stopped. The browser connects again by itself, unless the service refused it. */
function readStream(tell: (told: Told) => void): () => void {
  let source: EventSource
  let retry: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source = new EventSource('/v1/stream')
    source.addEventListener('ready', ({ data }: MessageEvent<string>) => {
      tell({ kind: 'live', isLive: true })
      if (!ready.parse(JSON.parse(data)).resumed) tell({ kind: 'everything' })
    })
    source.addEventListener('job', ({ data }: MessageEvent<string>) =>
      tell({ kind: 'job', job: jobChange.parse(JSON.parse(data)) }),
    )
    source.addEventListener('event', ({ data }: MessageEvent<string>) =>
      tell({ kind: 'ended', ...event.parse(JSON.parse(data)).data }),
    )
    source.addEventListener('error', () => {
      tell({ kind: 'live', isLive: false })
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs)
    })
  }
  open()
  return () => {
    clearTimeout(retry)
    source.close()
  }
}

type JobPages = InfiniteData<{ readonly jobs: readonly Job[] }>

function applierTo(queryClient: QueryClient): (told: Told) => void {
  const readAgain = (queryKey: readonly string[], exact = false) => queryClient.invalidateQueries({ queryKey, exact })
  const change = ({ id, status, progress }: z.output<typeof jobChange>) => {
    const isOfIt = (job: Job) => job.id === id
    const changed = (job: Job): Job => (isOfIt(job) && job.error === undefined ? { ...job, status, progress } : job)
    const isListed = queryClient.getQueryData<JobPages>(['jobs'])?.pages.some(({ jobs }) => jobs.some(isOfIt))
    if (!isListed) readLists()
    queryClient.setQueryData<JobPages>(
      ['jobs'],
      (old) =>
        old && {
          ...old,
          pages: old.pages.map((page) => ({ ...page, jobs: page.jobs.map(changed) })),
        },
    )
    queryClient.setQueriesData<readonly Job[]>({ queryKey: ['jobs', 'on'] }, (old) => old?.map(changed))
    queryClient.setQueryData<Job>(['jobs', id], (old) => old && changed(old))
  }
  const readLists = inTurn(() => Promise.all([readAgain(['jobs'], true), readAgain(['jobs', 'on'])]))
  const readUploads = inTurn(() => readAgain(['uploads']))
  const readEverything = () => {
    // Of what has ended, nothing was missed.
    for (const key of ['jobs', 'runs', 'uploads'])
      void queryClient.invalidateQueries({
        queryKey: [key],
        predicate: ({ state }) => !ended.safeParse(state.data).success,
      })
  }
  return (told) => {
    if (told.kind === 'live') {
      setLive(told.isLive)
      if (!isLive) readEverything()
    } else if (told.kind === 'everything') readEverything()
    else if (told.kind === 'job') change(told.job)
    else if (told.object === 'upload') readUploads()
    else if (told.object === 'workflow_run') void readAgain(['runs', told.id])
    else if (told.object === 'job') {
      void readAgain(['jobs', told.id])
      readLists()
    }
  }
}
