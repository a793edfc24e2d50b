import { readFileSync } from 'node:fs'
import pg from 'pg'
import { openDatabase } from '../../src/db/database.ts'
import { percentile } from '../percentile.ts'
import { timed } from '../timed.ts'
import type { Amounts } from './fill.ts'
import { queriesOf } from './queries.ts'

export interface QueryTimes {
  readonly name: string
  readonly calls: number
  /** From call to answer. */
  readonly milliseconds: Percentiles
  /** `SELECT 1`, in turns with the calls: what the machine and the connection take. */
  readonly bareMilliseconds: Percentiles
  /** Processor time of PostgreSQL. */
  readonly cpuMilliseconds: Percentiles
}

export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

export interface TableSize {
  readonly table: string
  readonly rows: number
  readonly rowBytes: number
  readonly indexBytes: number
}

/** A prime, so that calls ask about rows far apart. */
const stride = 7919
const warmUps = 10

/** Times every query of the API and of upkeep, each call about other rows. Linux only, as PostgreSQL must run on this machine. */
export async function measureQueries(
  databaseUrl: string,
  amounts: Amounts,
  { calls, say }: { readonly calls: number; readonly say: (message: string) => void },
): Promise<QueryTimes[]> {
  // One connection, so that one process of PostgreSQL does all the work.
  const db = openDatabase(databaseUrl, { poolSize: 1 })
  try {
    const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    const cpu = () => cpuMillisecondsOf(backend?.pid ?? 0)
    const results: QueryTimes[] = []
    for (const [name, run] of Object.entries(queriesOf(db, amounts))) {
      say(name)
      const times: { whole: number; bare: number; cpu: number }[] = []
      for (let call = 1 - warmUps; call <= calls; call += 1) {
        const bare = await timed(() => db.$queryRaw`SELECT 1`)
        const before = cpu()
        const whole = await timed(() => run(((call + warmUps) * stride) % amounts.jobs))
        if (call > 0) times.push({ whole, bare, cpu: cpu() - before })
      }
      results.push({
        ...{ name, calls },
        milliseconds: percentiles(times.map(({ whole }) => whole)),
        bareMilliseconds: percentiles(times.map(({ bare }) => bare)),
        cpuMilliseconds: percentiles(times.map((each) => each.cpu)),
      })
    }
    return results
  } finally {
    await db.$disconnect()
  }
}

function percentiles(values: readonly number[]): Percentiles {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) }
}

/** Processor time in nanoseconds is the first field of /proc/PID/schedstat: Documentation/scheduler/sched-stats.rst. */
function cpuMillisecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
}

/** The bytes that a row takes in each large table, and in its indexes. */
export async function measureTables(databaseUrl: string): Promise<TableSize[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<TableSize>(`
      SELECT relname AS table, reltuples AS rows, pg_table_size(oid) / reltuples AS "rowBytes", pg_indexes_size(oid) / reltuples AS "indexBytes"
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > 10000 ORDER BY reltuples DESC, relname`)
    return rows
  } finally {
    await client.end()
  }
}
