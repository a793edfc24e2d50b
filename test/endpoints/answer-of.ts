import { expect } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import type {
  EarlierSound,
  EarlierTimeline,
  EarlierWords,
  TimelineEndpoint,
} from '../../src/endpoints/define-timeline-endpoint.ts'

type EarlierJobs = Readonly<Record<string, Omit<EarlierTimeline, 'jobId'>>>

/** The result of an endpoint that reads no media, checked against its schema. */
export async function answerOf(endpoint: TimelineEndpoint, settings: object, jobs: EarlierJobs = {}) {
  return (await outputOf(endpoint, settings, jobs)).result
}

/** The same, with its warnings. Only the sounds that are given are kept. */
export async function outputOf(
  endpoint: TimelineEndpoint,
  settings: object,
  jobs: EarlierJobs = {},
  words: Readonly<Record<string, EarlierWords>> = {},
  sounds: Readonly<Record<string, EarlierSound>> = {},
) {
  const { result, warnings = [] } = await endpoint.run({
    settings,
    earlierWords: async (jobId) => words[jobId] ?? expect.fail(),
    earlierSound: async (jobId) => {
      const sound = sounds[jobId]
      if (!sound) throw new ServiceError('not_found')
      return sound
    },
    earlierTimelines: async (jobIds) =>
      jobIds.map((jobId) => {
        const job = jobs[jobId]
        if (!job) throw new ServiceError('not_found')
        return { jobId, ...job }
      }),
  })
  expect(endpoint.result.parse(result)).toEqual(result)
  expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  return { result, warnings }
}
