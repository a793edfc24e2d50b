import { describeAccount, describeCredentials, findAccounts } from '../accounts/describe-account.ts'
import { mailboxHashes } from '../accounts/mailbox.ts'
import { listOpenJobs } from '../accounts/open-jobs.ts'
import { findSameMailboxes } from '../accounts/same-mailboxes.ts'
import { assertSigningSecret } from '../accounts/signing-check.ts'
import { writeOperatorEntry } from '../billing/operator-entries.ts'
import { exitWithMessage, readConfig } from '../config.ts'
import { readableJson } from '../core/text.ts'
import type { Database } from '../store/database.ts'
import { publicPart } from '../store/keys.ts'
import { revokeAllKeys } from '../store/revoke-keys.ts'
import { resumeAccount, suspendAccount, suspendMailboxOf } from '../store/suspension.ts'
import {
  amountOf,
  describeArguments,
  type GivenArguments,
  readArguments,
  type TakenArguments,
} from './account-arguments.ts'
import { helpIfAsked } from './help.ts'
import { assertAccount, runOnDatabase } from './run-on-database.ts'

// What operators do with accounts. Prints JSON: the accounts found, or the account as it is after the command.

interface AccountCommand extends TakenArguments {
  readonly summary: string
  /** The field of the output that has what it returned, beside the account. */
  readonly reportsAs?: string
  readonly hashesMailboxes?: boolean
  readonly run: (db: Database, args: GivenArguments) => Promise<unknown>
}

const commands: Readonly<Record<string, AccountCommand>> = {
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

const [name = '', ...given] = process.argv.slice(2)

helpIfAsked(usage())
const command = (Object.hasOwn(commands, name) ? commands[name] : undefined) ?? exitWithMessage(noCommand())
const args = argumentsOf(command)
await runOnDatabase(async (db) => {
  if (name === 'find') return print(await command.run(db, args))
  await assertAccount(db, args.subject)
  if (command.hashesMailboxes) await assertSigningSecret(db, readConfig())
  const report = await command.run(db, args)
  const { reportsAs } = command
  const account = await describeAccount({ db, config: readConfig() }, args.subject)
  print({ ...(reportsAs === undefined ? {} : { [reportsAs]: report }), ...account })
})

function argumentsOf(taken: TakenArguments): GivenArguments {
  try {
    return readArguments(given, taken)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return exitWithMessage(`${problem}\nusage: ${usageOf(name, taken)}`)
  }
}

function noCommand(): string {
  return name === '' ? usage() : `unknown command ${name}. Use ${Object.keys(commands).join(', ')}, or --help`
}

function usage(): string {
  const lines = Object.entries(commands).map(([each, taken]) => `  ${usageOf(each, taken)}\n      ${taken.summary}`)
  return ['Finds and changes accounts. Prints JSON.', ...lines].join('\n')
}

function usageOf(name: string, taken: TakenArguments): string {
  return `accounts.js ${name} ${describeArguments(taken)}`
}

function sameMailboxes(db: Database, accountId: string) {
  return findSameMailboxes({ db, config: readConfig() }, accountId)
}

function hashMailbox(email: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`${email} is not an email address`)
  return mailboxHashes(readConfig(), email)[0]
}

function print(answer: unknown): void {
  process.stdout.write(`${readableJson(answer)}\n`)
}
