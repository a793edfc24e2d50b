import { exportFormats } from '../../../src/exports/export-formats.ts'
import type { Goal } from '../../../src/goals/goals.ts'
import { placeholders } from './placeholders.ts'
import type { PlannedCall } from './tool-calls.ts'

// Goals about what the account has. They are no step toward a new job.

export interface AccountCall extends PlannedCall {
  readonly goals: readonly Goal[]
  /** Finds what the call needs. */
  readonly first?: PlannedCall
}

export const accountCalls: readonly AccountCall[] = [
  {
    tool: 'svc.set_spend_cap',
    arguments: { monthly_cap_usd: placeholders.amount },
    note: 'A credential that may raise limits can also raise the cap.',
    goals: [
      [
        ['set', 'change', 'raise', 'lower', 'put', 'limit'],
        ['spending cap', 'spend cap', 'monthly cap', 'cap of', 'cap on', 'spending limit', 'my spending', 'the cap'],
      ],
    ],
  },
  {
    tool: 'svc.revoke_api_key',
    arguments: { key_id: '<key_id>' },
    note: 'Ends the key immediately. Replace <key_id> by its id, from svc.list_api_keys.',
    first: { tool: 'svc.list_api_keys', arguments: {}, note: 'The keys of the account, with their ids and names.' },
    goals: [
      [
        ['revoke', 'disable', 'invalidate'],
        ['key ', 'keys '],
      ],
      // "Remove all but the key moments" is about media.
      [
        ['delete', 'remove'],
        ['api key', 'my key ', 'my keys '],
      ],
    ],
  },
  {
    tool: 'svc.create_api_key',
    arguments: { name: placeholders.keyName },
    note: 'Returns the secret once. A monthly cap of its own and a scope can be set.',
    goals: [
      [
        ['make', 'create', 'get', 'give', 'need', 'new'],
        ['api key', 'api-key', 'new key'],
      ],
    ],
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
    ],
  },
  {
    tool: 'svc.run_agent_diagnostics',
    arguments: {},
    note: 'Checks the credential, the limits and the service.',
    goals: [
      [
        ['is ', 'are ', 'does ', 'check', 'why'],
        ['service', 'api ', 'system', 'my key '],
        ['work', 'healthy', 'down ', 'online', 'available', 'up '],
      ],
    ],
  },
  {
    tool: 'svc.estimate_cost',
    arguments: { endpoint: '<endpoint>', media_seconds: '<seconds of the media>' },
    note: 'Returns the price, and spends nothing. svc.list_endpoints lists the endpoints. Replace both by what the user wants.',
    goals: [[['how much', 'what', 'estimate'], ['would', 'will', 'does', 'is '], ['cost']]],
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
  {
    tool: 'svc.get_usage_summary',
    arguments: {},
    note: 'What the jobs of this month cost, by day, endpoint and key.',
    goals: [
      [
        ['how much', 'what'],
        ['spend', 'spent', 'been charged', 'pay so far', 'paid'],
      ],
      [['how much', 'what'], ['did ', 'have ', 'has '], ['cost']],
      [['my usage', 'my spending', 'my bill']],
    ],
  },
  {
    tool: 'svc.get_account_limits',
    arguments: {},
    note: 'The credits that are left, the cap, and what is spent of it.',
    goals: [
      [
        ['credit', 'money', 'budget'],
        ['left', 'remain', 'still'],
      ],
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
    note: 'Searches what was said and shown in the media of all completed jobs.',
    goals: [
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
          ...['uploaded', 'my upload', 'uploads', 'find my file', 'list my file', 'show my file', 'where is my file'],
          ...['where are my file', 'which files', 'what files'],
        ],
      ],
    ],
  },
]

export interface AccountAnswer {
  readonly goals: readonly Goal[]
  readonly notes: readonly string[]
}

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
