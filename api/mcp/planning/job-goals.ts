import type { AccountCall } from './account-goals.ts'
import { placeholders } from './placeholders.ts'

// Goals about jobs that were created: their status, and their end.

/** "Job job" is a job with its id. */
const jobNames = ['my job', 'the job ', 'this job ', 'that job ', 'job job', 'my run', 'the run ']

export const jobCalls: readonly AccountCall[] = [
  {
    tool: 'svc.get_job',
    arguments: { job_id: placeholders.job },
    note: 'Returns the status and the progress. With wait_seconds it waits for the end. Takes the id of a job or a run; svc.list_jobs finds a lost one.',
    goals: [
      [
        ['is ', 'are ', 'has ', 'have ', 'did ', 'when ', 'check', 'why ', "isn't", 'how long', 'how far'],
        [...jobNames, 'is job', 'has job', 'did job', 'my render', 'my export'],
        [
          'done',
          'finish',
          'ready',
          'complet',
          'over ',
          'through ',
          'fail',
          'succe',
          'still',
          'yet',
          'progress',
          'stuck',
        ],
      ],
      [['status', 'progress', 'state'], ['of ', 'on '], jobNames],
      [['how is', 'how are', "how's"], jobNames],
      [
        ['is it', 'did it', 'has it'],
        ['done', 'finish', 'ready', 'complet'],
        ['yet', 'finish', 'already', 'now '],
      ],
    ],
  },
  {
    tool: 'svc.cancel_job',
    arguments: { job_id: placeholders.job },
    note: 'Call it for each of these jobs. A run is canceled by its own id.',
    first: {
      tool: 'svc.list_jobs',
      arguments: { status: 'running' },
      note: 'The running jobs. Those with the status queued have not begun.',
    },
    goals: [
      [
        ['stop', 'cancel', 'abort', 'kill'],
        ['everything', 'all ', 'every ', 'each ', 'anything'],
        ['job', 'run'],
      ],
    ],
  },
  {
    tool: 'svc.cancel_job',
    arguments: { job_id: placeholders.job },
    note: 'Takes the id of a job or a run; svc.list_jobs finds a lost one.',
    goals: [
      [
        ['stop', 'cancel', 'abort', 'kill'],
        ['job', 'run'],
      ],
    ],
  },
]
