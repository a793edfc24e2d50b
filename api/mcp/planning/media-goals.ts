import { exportFormats } from '../../../src/exports/export-formats.ts'
import { sayingWords } from '../../../src/goals/words.ts'
import type { AccountAnswer, AccountCall } from './account-goals.ts'
import { lengthCall } from './first-calls.ts'
import { placeholders } from './placeholders.ts'

// Goals about the media, the results that the account has, and about facts of media. No job is needed.

/** "How long is my video", and not "how long is each pause in my video". */
const lengthQuestions = ['how long is', 'the length of', 'the duration of'].flatMap((question) =>
  ['my', 'the', 'this'].flatMap((whose) =>
    ['video', 'film', 'file', 'recording', 'podcast', 'episode', 'audio'].map(
      (media) => `${question} ${whose} ${media} `,
    ),
  ),
)

export const mediaCalls: readonly AccountCall[] = [
  {
    ...lengthCall,
    answersPart: true,
    goals: [[lengthQuestions]],
  },
  {
    tool: 'svc.regenerate_output_url',
    arguments: { job_id: placeholders.job },
    note: 'Signs new URLs for the files of a completed job, at no cost.',
    goals: [
      [
        ['new', 'fresh', 'renew', 'regenerate', 'expired', 'another'],
        ['link', 'url', 'download link'],
      ],
      [['download'], ['my file', 'my clip', 'my result', 'the result', 'the output', 'my output']],
    ],
  },
  {
    tool: 'svc.get_job_result',
    arguments: { job_id: placeholders.job },
    note: 'Links to the export of a completed job, or run, that found moments or suggested ranges: svc.plan_integration plans one.',
    goals: [[Object.values(exportFormats).flatMap(({ words }) => words)]],
  },
  {
    tool: 'svc.list_jobs',
    arguments: { query: placeholders.phrase },
    note: 'Searches what was said and shown in the media of all completed jobs. Media that none of audio/find-words, audio/semantic-chunks and video/text-frames has read is not searched: run such a job on it first. svc.list_uploads lists uploaded media.',
    goals: [
      [
        ['find', 'where', 'when', 'which', 'what', 'search ', 'every', 'list'],
        [...sayingWords, 'talk', 'discuss', 'spoke', 'speak', 'search '],
        ['<library>'],
      ],
      [
        ['search '],
        ['my job', 'earlier', 'past', 'previous', 'already', 'my library', 'my archive', 'all my', 'my transcript'],
        // More than a search in one media.
        ['my ', 'earlier', 'past', 'previous', 'already'],
      ],
    ],
  },
  {
    tool: 'svc.list_jobs',
    arguments: {},
    note: 'Newest first. svc.get_job returns one of them.',
    goals: [
      [
        ['list', 'show', 'find', 'which', 'what'],
        ['my job', 'recent job', 'my last job'],
      ],
    ],
  },
  {
    tool: 'svc.list_uploads',
    arguments: {},
    note: 'Newest first, each with its media_url for jobs. With name, the whole name of a file, only those with this name.',
    // A single list: work on an uploaded file is no question about it.
    goals: [
      [
        [
          ...[
            'uploaded',
            'i upload',
            'my upload',
            'uploads',
            'find my file',
            'list my file',
            'show my file',
            'where is my file',
          ],
          ...['where are my file', 'which files', 'what files'],
        ],
      ],
    ],
  },
]

/** A deletion cannot be undone, so that no tool makes one. */
export const deletionAnswer: AccountAnswer = {
  goals: [
    [
      ['delete', 'erase', 'wipe'],
      ['account', 'upload', 'file', 'job', 'my data', 'my media', 'my video', 'my recording', 'everything'],
    ],
    [['remove'], ['my account', 'my upload', 'uploaded', 'my job', 'my data', 'my files']],
  ],
  notes: [
    'No tool deletes anything. Over HTTP, with an API key: DELETE /v1/uploads/{id} deletes an uploaded file, DELETE /v1/jobs/{id} a job with its files, DELETE /v1/workflow-runs/{id} a run with its jobs. svc.list_uploads and svc.list_jobs return the ids.',
    'Only the owner deletes the account, signed in to the dashboard.',
  ],
}
