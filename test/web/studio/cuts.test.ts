import { expect, it } from 'vitest'
import type { Job } from '../../../web/src/api/queries.ts'
import { cutMarks, cutOf } from '../../../web/src/studio/studio-queries.ts'

const first = [{ start: 0, end: 1.234 }]
const second = [...first, { start: 2, end: 3 }]
const cut = (id: string, ranges: typeof first, status: 'completed' | 'failed' = 'completed'): Job => ({
  ...{ id, endpoint: 'video/clip-window', mode: 'async', status, progress: 1, warnings: [] },
  ...{ created_at: '2026-12-01T00:00:00Z', links: { self: '' }, media: { upload_id: 'upl_1' } },
  metadata: cutMarks(ranges),
})

it('an older cut of the same ranges is found again, otherwise the newest cut', () => {
  const jobs = [cut('job_3', first, 'failed'), cut('job_2', second), cut('job_1', first)]
  expect(cutOf(jobs, 'upl_1', first)?.id).toBe('job_1')
  expect(cutOf(jobs, 'upl_1', second)?.id).toBe('job_2')
  expect(cutOf(jobs, 'upl_1', [{ start: 0, end: 9 }])?.id).toBe('job_2')
  expect(cutOf(jobs, 'upl_2', first)).toBeUndefined()
})
