import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followChanges } from '../../web/src/api/live.ts'

beforeEach(() => vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } }))
afterEach(() => vi.unstubAllGlobals())

it('a page that is told of a thousand changes at once reads its lists a few times', async () => {
  const asked: string[] = []
  const queryClient = new QueryClient()
  const read = (list: string) => async () => {
    asked.push(list)
    return list === 'jobs' ? { jobs: [] } : []
  }
  const stops = [
    new InfiniteQueryObserver(queryClient, {
      queryKey: ['jobs'],
      queryFn: read('jobs'),
      initialPageParam: '',
      getNextPageParam: () => undefined,
    }).subscribe(() => {}),
    new QueryObserver(queryClient, { queryKey: ['jobs', 'on', 'a.wav'], queryFn: read('on') }).subscribe(() => {}),
    new QueryObserver(queryClient, { queryKey: ['uploads'], queryFn: read('uploads') }).subscribe(() => {}),
    followChanges(queryClient),
  ]
  const leader = new BroadcastChannel('changes')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(asked).toHaveLength(3)
  for (let change = 0; change < 500; change++) {
    leader.postMessage({ kind: 'job', job: { id: `job_${change}`, status: 'running', progress: 0 } })
    leader.postMessage({ kind: 'ended', object: 'job', id: `job_${change}` })
    leader.postMessage({ kind: 'ended', object: 'upload', id: `upl_${change}` })
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  // What came last is read too.
  await expect.poll(() => asked.length, { timeout: 5_000 }).toBeGreaterThan(3)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  for (const list of ['jobs', 'on', 'uploads']) {
    const times = asked.filter((each) => each === list).length
    expect(times, list).toBeGreaterThanOrEqual(3)
    expect(times, list).toBeLessThanOrEqual(6)
  }
  leader.close()
  for (const stop of stops) stop()
})
