import { z } from 'zod'
import type { Client } from '../../scripts/client.ts'

/** Runs a job. Returns the milliseconds from POST to the final response, and the job's result. */
export async function timeJob(client: Client, job: Record<string, unknown>) {
  const start = performance.now()
  const { id } = await client.create(job)
  const { status, result, error } = await client.ended(id, 3_600)
  const milliseconds = performance.now() - start
  if (status !== 'completed' || !result) throw new Error(`${id}: ${error?.message}`)
  return { milliseconds, result }
}

/** Runs the jobs, with always `inFlight` of them between POST and end. Returns the number that ended per second. */
export async function jobsPerSecond(client: Client, jobs: readonly Record<string, unknown>[], inFlight: number) {
  const waiting = jobs.values()
  const work = async () => {
    for (const job of waiting) await timeJob(client, job)
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return (jobs.length * 1000) / (performance.now() - start)
}

export const clipResult = z.object({
  receipt: z.object({
    frames_encoded: z.int(),
    bytes_read: z.int().nullable(),
    drift_ms: z.number(),
    audio_video_offset_ms: z.number().nullable(),
  }),
})
