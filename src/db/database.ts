import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { Prisma, PrismaClient } from './generated/client.ts'
import type { AccountModel } from './generated/models.ts'

export type Database = PrismaClient
/** The client of a transaction. Functions that take it also accept a `Database`. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]

/** What an account may do: the number of its slots, and what it can hold. */
export type AccountStanding = Pick<
  AccountModel,
  'ownerId' | 'billingStatus' | 'suspendedAt' | 'creditMicroUsd' | 'monthlyCapMicroUsd' | 'alertPercents'
> & { readonly isAccountDeleted: boolean }

interface DatabaseOptions {
  readonly poolSize?: number
  /** Whether connections keep their statements prepared, which saves the server parsing and planning. Not through a pooler, which changes connections. */
  readonly keepsStatements?: boolean
  /** The server ends statements that take longer. Poolers refuse connections that ask for this. */
  readonly statementSeconds?: number | undefined
}

/** Connects lazily. The owner calls `$disconnect()`. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { poolSize = 10, keepsStatements = false, statementSeconds } = options
  const pool = {
    ...{ connectionString: url, max: poolSize, connectionTimeoutMillis: 5_000 },
    ...(statementSeconds === undefined ? {} : { statement_timeout: statementSeconds * 1000 }),
  }
  return new PrismaClient({
    adapter: new PrismaPg(pool, keepsStatements ? { statementNameGenerator: createStatementNames() } : {}),
    // Other formats take a stack trace for each query.
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  })
}

/** The options of API and workers. */
export function databaseOptionsOf(
  config: Pick<Config, 'DATABASE_POOL_SIZE' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>,
): DatabaseOptions {
  const { DATABASE_POOL_SIZE: poolSize, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = config
  return { poolSize, keepsStatements: directUrl === url }
}

/** Those of the API, whose statements answer requests. Workers also erase and repair, which can take longer. */
export function apiDatabaseOptionsOf(
  config: Parameters<typeof databaseOptionsOf>[0] & Pick<Config, 'DATABASE_STATEMENT_SECONDS'>,
): DatabaseOptions {
  const options = databaseOptionsOf(config)
  return { ...options, statementSeconds: options.keepsStatements ? config.DATABASE_STATEMENT_SECONDS : undefined }
}

/** A few hundred statements exist. Those of lists vary with their filters, and each that is prepared takes memory on every connection. */
const maxPrepared = 500

/** Names each text, up to the maximum. Statements without a name are not kept. */
function createStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxPrepared) return known ?? ''
    const name = `s${names.size}`
    names.set(sql, name)
    return name
  }
}

export async function pingDatabase(db: Database): Promise<void> {
  await db.$executeRaw`SELECT 1`
}

// Lock order everywhere: the row of the job or run, then its account's.

export async function lockJob(tx: Transaction, jobId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM jobs WHERE id = ${jobId} FOR UPDATE`
}

/** Locks the run's row, but not its key: the end of a step refers to the run, and would wait for a lock of the key. */
export async function lockRun(tx: Transaction, runId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM workflow_runs WHERE id = ${runId} FOR NO KEY UPDATE`
}

export const standingColumns = Prisma.sql`
  owner_id AS "ownerId", billing_status::text AS "billingStatus", suspended_at AS "suspendedAt",
  credit_micro_usd AS "creditMicroUsd", monthly_cap_micro_usd AS "monthlyCapMicroUsd", alert_percents AS "alertPercents",
  accounts.deleted_at IS NOT NULL AS "isAccountDeleted"`

/** Locks the account's row, so that nothing of what it returns changes until the transaction ends. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<AccountStanding> {
  const [account] = await tx.$queryRaw<AccountStanding[]>`
    SELECT ${standingColumns} FROM accounts WHERE id = ${accountId} FOR UPDATE`
  if (!account) throw new Error(`there is no account ${accountId}`)
  return account
}

/** No server, refused, timed out, too many connections, no free connection in the pool. */
const unreachableCodes = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']

/** The same for raw statements: their errors all have one code, and `meta` has the adapter's error. */
const unreachableKinds = ['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed', 'TooManyConnections']
/** The statement took too long; the server stops, crashed, or is not ready yet (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const stoppedStates = ['57014', '57P01', '57P02', '57P03']
const adapterError = z.union([z.object({ kind: z.enum(unreachableKinds) }), z.object({ code: z.enum(stoppedStates) })])
const rawError = z.object({ driverAdapterError: z.object({ cause: adapterError }) })

/** The messages of pg and its pool, whose errors have no code. */
const unreachableMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
]

/** Whether the database could not be reached or gave no answer in time, so that a retry can help. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true
  if (error instanceof Error && unreachableMessages.includes(error.message)) return true
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  return unreachableCodes.includes(error.code) || rawError.safeParse(error.meta).success
}

/** Whether a statement would have made a row that must be unique a second time. */
export function isRowDoubled(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** A foreign key without its row; no row to update. */
const missingRowCodes = ['P2003', 'P2025']

/** Whether a statement needed a row that was deleted meanwhile. */
export function isRowMissing(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && missingRowCodes.includes(error.code)
}

/** `host:port/name` of a database's URL, which messages can show. */
export function databaseName(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `${host}:${port}/${database ?? ''}`
}

/** Throws one line for the operator if the database of a variable does not answer, or refuses. Skips blank variables. */
export async function reachDatabase({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl,
}: {
  readonly DATABASE_URL?: string | undefined
  readonly DATABASE_DIRECT_URL?: string | undefined
}): Promise<void> {
  if (url) await reach('DATABASE_URL', url)
  if (directUrl && directUrl !== url) await reach('DATABASE_DIRECT_URL', directUrl)
}

async function reach(variable: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const where = `${client.host}:${client.port}`
    const reason =
      error instanceof pg.DatabaseError ? `${where} refuses: ${error.message}` : `no database answers at ${where}`
    throw new Error(`${variable}: ${reason}`, { cause: error })
  } finally {
    await client.end()
  }
}
