import { ServiceError } from '../../../src/core/errors.ts'
import type { JobRequest } from '../../jobs/request-schema.ts'

/** What a plan puts in place of what the goal does not state. */
export const placeholders = {
  amount: '<USD a month>',
  anotherJob: '<job_id of another job>',
  cut: '<what to cut>',
  earlierJob: '<job_id of an earlier job>',
  end: '<end>',
  file: '<name of the file>',
  format: '<format>',
  height: '<pixels>',
  howMany: '<how many>',
  job: '<job_id>',
  keyName: '<name of the key>',
  loudness: '<LUFS>',
  moment: '<moment>',
  nextMoments: '<and so on, for each moment>',
  nextPieces: '<and so on, to media_seconds>',
  nextRanges: '<and so on>',
  nextTimes: '<and so on, before media_seconds>',
  phrase: '<what is said>',
  picture: '<upload_id>',
  pictureFile: '<name of the picture>',
  pricedEndpoint: '<endpoint>',
  pricedSeconds: '<seconds of the media>',
  script: '<script>',
  start: '<start>',
  transcriptJob: '<job_id of audio/find-words>',
} as const

/** What stands for the id of an endpoint's job, and for what that job found. */
export const placeholdersOf = {
  job: (endpointId: string) => `<job_id of ${endpointId}>`,
  ranges: (endpointId: string) => `<ranges of ${endpointId}>`,
  segments: (endpointId: string) => `<segments of ${endpointId}>`,
  times: (endpointId: string) => `<times of ${endpointId}>`,
  firstStart: (endpointId: string) => `<first start of ${endpointId}>`,
  lastEnd: (endpointId: string) => `<last end of ${endpointId}>`,
} as const

const computed =
  /^<(?:media_seconds [-*/\d. ]+|(?:job_id|ranges|segments|times|first start|last end) of [a-z]+\/[a-z-]+)>$/

/** Refuses what a plan left to the caller. Other texts between angle brackets are settings like any other. */
export function refusePlaceholders({ start, end, settings }: Pick<JobRequest, 'start' | 'end' | 'settings'>): void {
  const parts: unknown[] = [start, end, settings]
  // A caller decides how deep settings are, so that this does not call itself.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    if (typeof part !== 'string' || !isPlaceholder(part)) continue
    throw new ServiceError('invalid_request', `Replace ${part}, which the plan left open, by what the user wants.`)
  }
}

function isPlaceholder(text: string): boolean {
  return computed.test(text) || Object.values(placeholders).some((placeholder) => placeholder === text)
}
