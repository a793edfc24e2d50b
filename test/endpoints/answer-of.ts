import { expect } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import type { EarlierJob, TimelineEndpoint } from '../../src/endpoints/define-timeline-endpoint.ts'

/** The result of an endpoint that reads no media, checked against its schema. */
export async function answerOf(
  endpoint: TimelineEndpoint,
  settings: object,
  jobs: Readonly<Record<string, Omit<EarlierJob, 'id'>>> = {},
) {
  const result = await endpoint.run({
    settings,
    earlierJob: async (id) => {
      const job = jobs[id]
      if (!job) throw new ServiceError('not_found')
      return { id, ...job }
    },
  })
  expect(endpoint.result.parse(result)).toEqual(result)
  expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  return result
}
