import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { syncEndpoint } from '../../src/endpoints/timeline-sync/declaration.ts'
import { answerOf, outputOf } from './answer-of.ts'

const { settings } = syncEndpoint.example

it('places timelines by when they have sound', async () => {
  expect(await answerOf(syncEndpoint, settings)).toEqual({
    recordings: [
      { name: 'camera', synced: true, offset_seconds: 0, drift_ppm: 0, residual_ms: 0, confidence: 1 },
      {
        ...{ name: 'recorder', synced: true, offset_seconds: expect.closeTo(2.5, 2) },
        ...{ drift_ppm: expect.any(Number), residual_ms: expect.any(Number), confidence: expect.any(Number) },
      },
    ],
  })
})

it('says so where a timeline has nothing in common with the first', async () => {
  const alone = { settings: { timelines: [{ segments: [{ start: 0, end: 30 }] }, { segments: [] }] } }
  const { result, warnings } = await outputOf(syncEndpoint, alone.settings)
  expect(result).toMatchObject({ recordings: [{ synced: true }, { synced: false, confidence: 0 }] })
  expect(warnings).toEqual([expect.stringContaining('timeline 1')])
})

it('takes segments that lie on each other ten thousand times as the time that they cover', async () => {
  const segments = Array.from({ length: 10_000 }, () => ({ start: 0, end: 14_400 }))
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const { result } = await outputOf(syncEndpoint, { timelines: [{ segments }, { segments: [{ start: 0, end: 1 }] }] })
  expect(result).toMatchObject({ recordings: [{ synced: true }, { synced: false }] })
  // Each of them alone takes two milliseconds.
  expect(delay.max / 1e6).toBeLessThan(3_000)
})

it('refuses what names no recordings, one twice, or ones that are too long', () => {
  const refuse = (given: object) => syncEndpoint.validate({ startSeconds: null, endSeconds: null }, given)
  expect(refuse({})).toMatch(/^Send settings\.job_ids/)
  expect(refuse({ job_ids: ['job_a', 'job_a'] })).toMatch(/twice/)
  expect(refuse({ timelines: [{ segments: [] }, { segments: [{ start: 2, end: 1 }] }] })).toMatch(/start is after end/)
  expect(refuse({ timelines: [{ segments: [{ start: 0, end: 20_000 }] }, { segments: [] }] })).toMatch(/longer than 4/)
})
