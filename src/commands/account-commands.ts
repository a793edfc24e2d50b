import { parseArgs } from 'node:util'
import {
  cancelWaitingJobs,
  describeCredentials,
  findAccounts,
  findSameMailboxes,
  listOpenJobs,
} from '../accounts/describe-account.ts'
import { publicPart, revokeAllKeys } from '../accounts/keys.ts'
import { mailboxHashes, resumeAccount, suspendAccount, suspendMailboxOf } from '../accounts/suspension.ts'
import { writeOperatorEntry } from '../billing/payments.ts'
import { readConfig } from '../config.ts'
import { fromUsd, type MicroUsd } from '../core/money.ts'
import type { Database } from '../db/database.ts'

interface AccountCommand extends TakenArguments {
  readonly summary: string
  /** The field of the output that has what it returned, beside the account. */
  readonly reportsAs?: string
  /** Such a command runs only with the secret of the service. */
  readonly hashesMailboxes?: boolean
  readonly run: (db: Database, args: GivenArguments) => Promise<unknown>
}

/** What operators do with accounts, by the name of the command. */
export const accountCommands: Readonly<Record<string, AccountCommand>> = {
  find: {
    positional: ['TEXT'],
    summary:
      'lists accounts by a part of the name or the email address, or by the id of an account, user, key, job, run or upload',
    run: (db, { subject }) => findAccounts(db, subject),
  },
  show: {
    positional: ['ACCOUNT'],
    summary:
      'shows status, money, the credentials that are not revoked, open jobs, the bytes of uploads, and the ledger entries that operators wrote',
    reportsAs: 'credentials',
    run: (db, { subject }) => describeCredentials(db, subject),
  },
  jobs: {
    positional: ['ACCOUNT'],
    summary: 'lists the open jobs, the oldest first: running, queued, or waiting for a slot of the account',
    reportsAs: 'open_jobs',
    run: (db, { subject }) => listOpenJobs(db, subject),
  },
  'cancel-waiting': {
    positional: ['ACCOUNT'],
    summary:
      'cancels the jobs that wait for a slot of the account, which are not in Temporal; upkeep ends them in some minutes',
    reportsAs: 'canceled_jobs',
    run: (db, { subject }) => cancelWaitingJobs(db, subject),
  },
  suspend: {
    positional: ['ACCOUNT'],
    hasReason: true,
    summary:
      'refuses new jobs, uploads, estimates and keys; running jobs end, waiting jobs wait; names other accounts of the mailboxes; if it is suspended already, adds the reason',
    reportsAs: 'same_mailboxes',
    hashesMailboxes: true,
    run: async (db, { subject, reason }) => {
      await suspendAccount(db, { accountId: subject, reason, hashMailbox })
      return sameMailboxes(db, subject)
    },
  },
  'suspend-mailbox': {
    positional: ['ACCOUNT', 'EMAIL'],
    summary: 'suspends the next account of a mailbox whose account, ACCOUNT, was deleted before it could be suspended',
    reportsAs: 'same_mailboxes',
    hashesMailboxes: true,
    run: async (db, { subject, detail }) => {
      await suspendMailboxOf(db, subject, hashMailbox(detail))
      return sameMailboxes(db, subject)
    },
  },
  resume: {
    positional: ['ACCOUNT'],
    summary: 'ends the suspension and prints its reasons, which are not kept; upkeep starts the jobs that waited',
    reportsAs: 'ended_suspensions',
    run: async (db, { subject }) => {
      const ended = await resumeAccount(db, subject)
      return ended.map(({ accountId, suspendedAt, suspendedReason }) => ({
        ...{ account_id: accountId, suspended_at: suspendedAt, suspended_reason: suspendedReason },
      }))
    },
  },
  grant: {
    positional: ['ACCOUNT', 'USD'],
    hasReason: true,
    summary: 'adds credits',
    run: (db, { subject: accountId, detail: usd, reason }) =>
      writeOperatorEntry(db, { accountId, kind: 'grant', amount: { credit: amountOf(usd), billable: 0n }, reason }),
  },
  adjust: {
    positional: ['ACCOUNT'],
    hasReason: true,
    amounts: ['credits', 'billed'],
    summary: 'corrects credits or what is billed, such as --credits=-2.50 or --billed=-10',
    run: (db, { subject: accountId, credits, billed, reason }) => {
      const amount = { credit: amountOf(credits), billable: amountOf(billed) }
      return writeOperatorEntry(db, { accountId, kind: 'adjustment', amount, reason })
    },
  },
  'revoke-keys': {
    positional: ['ACCOUNT'],
    summary: 'revokes every API key and connector, and lists them; the owner creates new ones after signing in',
    reportsAs: 'revoked',
    run: async (db, { subject }) => {
      const revoked = await revokeAllKeys(db, subject)
      return { count: revoked.length, keys: revoked.map((key) => ({ ...key, prefix: publicPart(key) })) }
    },
  },
}

function sameMailboxes(db: Database, accountId: string) {
  return findSameMailboxes({ db, config: readConfig() }, accountId)
}

function hashMailbox(email: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`${email} is not an email address`)
  return mailboxHashes(readConfig(), email)[0]
}

/** The arguments that a command takes, all of them required: names of positional ones, and options. */
export interface TakenArguments {
  readonly positional: readonly string[]
  readonly hasReason?: boolean
  /** At least one of these options. */
  readonly amounts?: readonly ('credits' | 'billed')[]
}

export interface GivenArguments {
  /** The account, except for `find`. */
  readonly subject: string
  /** The second argument: an amount, or an address. */
  readonly detail: string
  readonly reason: string
  readonly credits: string
  readonly billed: string
}

/** Throws with what is missing or not expected. */
export function readArguments(
  args: readonly string[],
  { positional, hasReason = false, amounts = [] }: TakenArguments,
): GivenArguments {
  const { values, positionals } = parse(args)
  const [subject = '', detail = ''] = positionals
  const { reason, credits, billed } = values
  const missing = [
    ...positional.filter((_name, index) => !positionals[index]),
    ...(amounts.length > 0 && credits === '' && billed === '' ? [amounts.map(amountOption).join(' or ')] : []),
    ...(hasReason && reason.trim() === '' ? ['--reason TEXT'] : []),
  ]
  const surplus = [
    ...positionals.slice(positional.length),
    ...(!hasReason && reason !== '' ? ['--reason'] : []),
    ...(amounts.length === 0 ? [...(credits === '' ? [] : ['--credits']), ...(billed === '' ? [] : ['--billed'])] : []),
  ]
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`)
  if (surplus.length > 0) throw new Error(`not expected: ${surplus.join(', ')}`)
  return { subject, detail, reason, credits, billed }
}

function parse(args: readonly string[]) {
  const text = { type: 'string', default: '' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { reason: text, credits: text, billed: text },
    })
  } catch (cause) {
    // Node's message names the wrong option in its first sentence.
    const [problem = ''] = cause instanceof Error ? cause.message.split('. ') : []
    throw new Error(problem, { cause })
  }
}

/** As the usage shows them. */
export function describeArguments({ positional, hasReason = false, amounts = [] }: TakenArguments): string {
  const options = amounts.map((amount) => `[${amountOption(amount)}]`)
  return [...positional, ...options, ...(hasReason ? ['--reason TEXT'] : [])].join(' ')
}

function amountOption(amount: string): string {
  return `--${amount}=USD`
}

/** Dollars with a sign, at most six decimals. Blank is 0. */
function amountOf(text: string): MicroUsd {
  const [, sign, dollars] = /^(-?)(\d{1,9}(?:\.\d{1,6})?)$/.exec(text || '0') ?? []
  if (!dollars) throw new Error(`${text} is not an amount in USD, such as 2.50`)
  return sign ? -fromUsd(Number(dollars)) : fromUsd(Number(dollars))
}
