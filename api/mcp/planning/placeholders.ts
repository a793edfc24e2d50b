import { ServiceError } from '../../../src/core/errors.ts'
import { fromTheEnd } from '../../../src/goals/goal-times.ts'
import type { JobRequest } from '../../jobs/request-schema.ts'

/** What a plan puts in place of what the goal does not state. */
export const placeholders = {
  amount: '<USD a month>',
  cut: '<what to cut>',
  file: '<name of the file>',
  job: '<job_id>',
  keyName: '<name of the key>',
  moment: '<moment>',
  nextPieces: '<and so on, to media_seconds>',
  phrase: '<what is said>',
  script: '<script>',
  transcriptJob: '<job_id of audio/find-words>',
} as const

const replacements: readonly (readonly [placeholder: string, note: string])[] = [
  [
    fromTheEnd,
    'Replace <media_seconds - …> by that time: svc.check_job_readiness with "start": 0, and without settings, returns media_seconds.',
  ],
  [
    placeholders.transcriptJob,
    `Replace ${placeholders.transcriptJob} by the id of the audio/find-words job. Or leave that job out, and send captions.text instead of captions.job_id: SubRip or WebVTT.`,
  ],
  [
    placeholders.moment,
    `Replace ${placeholders.moment} by its time. Jobs such as audio/find-words or audio/detect-energy find moments.`,
  ],
  [
    placeholders.nextPieces,
    `Replace ${placeholders.nextPieces} by the ranges that follow; the last one has "end": "". svc.check_job_readiness with "start": 0, and without settings, returns media_seconds.`,
  ],
  [
    placeholders.phrase,
    `Replace ${placeholders.phrase} by the words or phrases to find. A job of audio/find-words without queries returns the whole transcript.`,
  ],
  [placeholders.amount, `Replace ${placeholders.amount} by the amount, as a number.`],
  [placeholders.keyName, `Replace ${placeholders.keyName} by a name by which its owner recognizes it.`],
  [placeholders.cut, `Replace ${placeholders.cut} by each word or phrase to cut.`],
  [
    placeholders.script,
    `Replace ${placeholders.script} by the text of the script: words that are not in it are cut, and of several takes the last one stays.`,
  ],
]

/** How to replace each placeholder of the arguments. */
export function notesOnPlaceholders(given: object): string[] {
  const text = JSON.stringify(given)
  return replacements.filter(([placeholder]) => text.includes(placeholder)).map(([, note]) => note)
}

/** Refuses what a plan left to the caller. Other texts between angle brackets are settings like any other. */
export function refusePlaceholders({ start, end, settings }: Pick<JobRequest, 'start' | 'end' | 'settings'>): void {
  const parts: unknown[] = [start, end, settings]
  // A caller decides how deep settings are, so that this does not call itself.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner)
    const left = Object.values(placeholders).find((placeholder) => placeholder === part)
    if (left === undefined) continue
    throw new ServiceError('invalid_request', `Replace ${left}, which the plan left open, by what the user wants.`)
  }
}
