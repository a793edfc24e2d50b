import { parseArgs } from 'node:util'
import { describeAccount, describeCredentials, findAccounts } from '../accounts/describe-account.ts'
import { mailboxHashes } from '../accounts/mailbox.ts'
import { findSameMailboxes } from '../accounts/same-mailboxes.ts'
import { writeOperatorEntry } from '../billing/operator-entries.ts'
import { exitWithMessage, readConfig } from '../config.ts'
import { fromUsd, type MicroUsd } from '../core/money.ts'
import { readableJson } from '../core/text.ts'
import type { Database } from '../store/database.ts'
import { publicPart, revokeAllKeys } from '../store/keys.ts'
import { resumeAccount, suspendAccount, suspendMailboxOf } from '../store/suspension.ts'
import { helpIfAsked } from './help.ts'
import { assertAccount, runOnDatabase } from './run-on-database.ts'

// What operators do with accounts. Prints JSON: the accounts found, or the account as it is after the command.

interface Arguments {
  /** The account, except for `find`. */
  readonly subject: string
  /** The second argument: an amount, or an address. */
  readonly detail: string
  readonly reason: string
  readonly credits: string
  readonly billed: string
}

interface AccountCommand {
  /** Its arguments, all required: names of positional ones, and options. */
  readonly positional: readonly string[]
  readonly hasReason?: boolean
  readonly amounts?: readonly ('credits' | 'billed')[]
  readonly summary: string
  /** The field of the output that has what it returned, beside the account. */
  readonly reportsAs?: string
  readonly run: (db: Database, args: Arguments) => Promise<unknown>
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
  suspend: {
    positional: ['ACCOUNT'],
    hasReason: true,
    summary:
      'refuses new jobs, uploads, estimates and keys; running jobs end, waiting jobs wait; names other accounts of the mailboxes',
    reportsAs: 'same_mailboxes',
    run: async (db, { subject, reason }) => {
      await suspendAccount(db, subject, reason, hashOf)
      return sameMailboxes(db, subject)
    },
  },
  'suspend-mailbox': {
    positional: ['ACCOUNT', 'EMAIL'],
    summary: 'suspends the next account of a mailbox whose account, ACCOUNT, was deleted before it could be suspended',
    reportsAs: 'same_mailboxes',
    run: async (db, { subject, detail }) => {
      await suspendMailboxOf(db, subject, hashOf(detail))
      return sameMailboxes(db, subject)
    },
  },
  resume: {
    positional: ['ACCOUNT'],
    summary: 'ends the suspension; upkeep starts the jobs that waited',
    run: (db, { subject }) => resumeAccount(db, subject),
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
const args = parse(command)
await runOnDatabase(async (db) => {
  if (name === 'find') return print(await command.run(db, args))
  await assertAccount(db, args.subject)
  const report = await command.run(db, args)
  const { reportsAs } = command
  const account = await describeAccount({ db, config: readConfig() }, args.subject)
  print({ ...(reportsAs === undefined ? {} : { [reportsAs]: report }), ...account })
})

function parse({ positional, hasReason = false, amounts = [] }: AccountCommand): Arguments {
  const text = { type: 'string', default: '' } as const
  const { values, positionals } = parsed(() =>
    parseArgs({ args: given, allowPositionals: true, options: { reason: text, credits: text, billed: text } }),
  )
  const [subject = '', detail = ''] = positionals
  const { reason, credits, billed } = values
  const missing = [
    ...positional.filter((_name, index) => !positionals[index]),
    ...(amounts.length > 0 && credits === '' && billed === '' ? [optionsOf(amounts).join(' or ')] : []),
    ...(hasReason && reason.trim() === '' ? ['--reason TEXT'] : []),
  ]
  const surplus = [
    ...positionals.slice(positional.length),
    ...(!hasReason && reason !== '' ? ['--reason'] : []),
    ...(amounts.length === 0 ? [...(credits === '' ? [] : ['--credits']), ...(billed === '' ? [] : ['--billed'])] : []),
  ]
  if (missing.length > 0) refuse(`missing: ${missing.join(', ')}`)
  if (surplus.length > 0) refuse(`not expected: ${surplus.join(', ')}`)
  return { subject, detail, reason, credits, billed }
}

function refuse(problem: string): never {
  return exitWithMessage(`${problem}\nusage: ${usageOf(name)}`)
}

function noCommand(): string {
  return name === '' ? usage() : `unknown command ${name}. Use ${Object.keys(commands).join(', ')}, or --help`
}

/** Node's message names the wrong option in its first sentence. */
function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    return refuse(error instanceof Error ? (error.message.split('. ')[0] ?? '') : '')
  }
}

function sameMailboxes(db: Database, accountId: string) {
  return findSameMailboxes({ db, config: readConfig() }, accountId)
}

function hashOf(email: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`${email} is not an email address`)
  return mailboxHashes(readConfig(), email)[0]
}

/** Dollars with a sign, at most six decimals. Blank is 0. */
function amountOf(text: string): MicroUsd {
  const [, sign, dollars] = /^(-?)(\d{1,9}(?:\.\d{1,6})?)$/.exec(text || '0') ?? []
  if (!dollars) throw new Error(`${text} is not an amount in USD, such as 2.50`)
  return sign ? -fromUsd(Number(dollars)) : fromUsd(Number(dollars))
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${usageOf(name)}\n      ${summary}`)
  return ['Finds and changes accounts. Prints JSON.', ...lines].join('\n')
}

function usageOf(name: string): string {
  const { positional, hasReason, amounts = [] } = commands[name] ?? { positional: [] }
  const options = [...optionsOf(amounts).map((option) => `[${option}]`), ...(hasReason ? ['--reason TEXT'] : [])]
  return ['accounts.js', name, ...positional, ...options].join(' ')
}

function optionsOf(amounts: readonly string[]): string[] {
  return amounts.map((amount) => `--${amount}=USD`)
}

function print(answer: unknown): void {
  process.stdout.write(`${readableJson(answer)}\n`)
}
