import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../scripts/client.ts'
import type { Context } from '../scripts/main.ts'
import type { Environment } from '../scripts/stack/ports.ts'
import { withStack } from '../scripts/stack/stack.ts'
import type { StackAddresses } from '../scripts/stack/stack-file.ts'
import { createKey } from '../src/accounts/keys.ts'
import { createAccount } from '../src/accounts/own-account.ts'
import { activateBilling } from '../src/billing/activate-billing.ts'
import { grantCredits } from '../src/billing/credits.ts'
import { newId } from '../src/core/ids.ts'
import { type Database, openDatabase } from '../src/db/database.ts'

/** A stack of its own, for one experiment. */
export interface LabStack extends StackAddresses {
  readonly db: Database
  /** The key of a new account, with the free credits, or with billing on top. */
  newKey(account?: { readonly hasBilling: true }): Promise<string>
  /** A client of such an account. */
  newClient(account?: { readonly hasBilling: true }): Promise<Client>
}

/** A signal ended the stack before the work was done. */
export class Interrupted extends Error {}

/** Gives the work a temporary folder. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-lab-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the work beside a stack whose data is in `folder`. The caller's environment has precedence over `env`. */
export async function withLabStack<Result>(
  context: Context,
  { folder, env }: { readonly folder: string; readonly env: Environment },
  work: (stack: LabStack) => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined
  const variables = { LOG_LEVEL: 'warn', ...env, ...context.env }
  await withStack({ ...context, env: variables, dataDir: folder }, async (stack) => {
    const db = openDatabase(stack.databaseUrl)
    const newKey: LabStack['newKey'] = async (account) => {
      const accountId = await createAccount(db, 'lab')
      if (account?.hasBilling) await activateBilling(db, accountId)
      return (await createKey(db, { accountId, name: 'lab' })).token
    }
    const newClient: LabStack['newClient'] = async (account) => createClient(stack.apiUrl, await newKey(account))
    try {
      done = { result: await work({ ...stack, db, newKey, newClient }) }
      return 0
    } finally {
      await db.$disconnect()
    }
  })
  if (!done) throw new Interrupted('interrupted')
  return done.result
}

/** Opens an account as its owner does by signing up: with the free credits, and without billing. */
export async function openFreeAccount(db: Database): Promise<string> {
  const [ownerId, accountId] = [newId('usr'), newId('acct')]
  await db.user.create({ data: { id: ownerId, name: 'free', email: `${ownerId}@example.com` } })
  await db.account.create({ data: { id: accountId, name: 'free', ownerId } })
  await db.$transaction((tx) => grantCredits(tx, accountId))
  return accountId
}

/** Runs a job. Returns the milliseconds from POST to the final response, the job's id and its result. */
export async function timeJob(client: Client, job: Readonly<Record<string, unknown>>) {
  const start = performance.now()
  const { id } = await client.create(job)
  const { status, result, error } = await client.ended(id, 3_600)
  const milliseconds = performance.now() - start
  if (status !== 'completed' || !result) throw new Error(`${id}: ${error?.message}`)
  return { id, milliseconds, result }
}

/** Runs the jobs, with always `inFlight` of them between POST and end. Returns the number that ended per second. */
export async function jobsPerSecond(
  client: Client,
  jobs: readonly Readonly<Record<string, unknown>>[],
  inFlight: number,
): Promise<number> {
  const waiting = jobs.values()
  const work = async () => {
    for (const job of waiting) await timeJob(client, job)
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return (jobs.length * 1000) / (performance.now() - start)
}
