import type { Goal } from '../../../src/goals/goals.ts'
import { placeholders } from './placeholders.ts'
import type { PlannedCall } from './tool-calls.ts'

// Goals about the money, the keys and the limits of the account. They are no step toward a new job.

export interface AccountCall extends PlannedCall {
  readonly goals: readonly Goal[]
  /** Whether it answers its part of a goal of which nothing does the rest. */
  readonly answersPart?: true
  /** Finds what the call needs. */
  readonly first?: PlannedCall
}

export interface AccountAnswer {
  readonly goals: readonly Goal[]
  readonly notes: readonly string[]
}

const atMost = [
  'max ',
  'maximum',
  'at most',
  'no more than',
  'not more than',
  'never more than',
  'up to',
  'spend more than',
  'spending more than',
  'let it cost more',
  'not cost more',
  'never cost more',
]

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
      [
        ['set', 'change', 'raise', 'lower', 'put', 'increase', 'reduce'],
        ['my limit', 'my cap', 'my budget', 'my monthly', 'monthly limit', 'monthly budget', 'spend limit'],
      ],
      [
        ['set', 'change', 'raise', 'lower', 'put', 'increase', 'reduce'],
        ['limit', 'cap ', 'budget'],
        ['dollar', 'usd', 'a month', 'per month'],
      ],
      [[...atMost, 'limit', 'cap ', 'budget', 'ceiling'], ['<amount>'], ['month', 'spend', 'charge']],
      [['limit', 'cap ', 'restrict', 'reduce', 'keep'], ['<amount>'], ['spend', 'my cost', 'my bill', 'charges']],
      [['limit spend', 'limit my spend', 'limit my cost', 'cap spend', 'cap my spend', 'cap my cost', 'cap the cost']],
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
    arguments: { endpoint: placeholders.pricedEndpoint, media_seconds: placeholders.pricedSeconds },
    note: 'Returns the price, and spends nothing. svc.list_endpoints lists the endpoints. Replace what is between angle brackets by what the user wants.',
    goals: [
      [['how much', 'what', 'estimate'], ['would', 'will', 'does', 'is '], ['cost']],
      [['<price>'], ['cost', 'price'], ['second']],
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
]
