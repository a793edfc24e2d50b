import { describeCredentials, findAccounts } from '../accounts/describe-account.ts'
import { mailboxHashes } from '../accounts/mailbox.ts'
import { cancelWaitingJobs, listOpenJobs } from '../accounts/open-jobs.ts'
import { findSameMailboxes } from '../accounts/same-mailboxes.ts'
import { writeOperatorEntry } from '../billing/operator-entries.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../store/database.ts'
import { publicPart } from '../store/keys.ts'
import { revokeAllKeys } from '../store/revoke-keys.ts'
import { resumeAccount, suspendAccount, suspendMailboxOf } from '../store/suspension.ts'
import { amountOf, type GivenArguments, type TakenArguments } from './account-arguments.ts'

export interface AccountCommand extends TakenArguments {
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
