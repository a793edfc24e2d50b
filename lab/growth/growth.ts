import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Command } from '../../scripts/main.ts'
import { startDataDirPostgres } from '../../scripts/stack/stack.ts'
import { withSupervisor } from '../../scripts/stack/supervised.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { percentile, report, timed } from '../figures.ts'
import { withFolder } from '../lab-stack.ts'
import { type Amounts, fillTables } from './fill.ts'
import { queriesOf } from './queries.ts'

const amounts = { accounts: 1_000, jobs: 5_000_000 }
const calls = 200
const warmUps = 10
/** A prime, so that calls ask about rows far apart. */
const stride = 7919

/** `npm run lab -- growth`: every query on five million jobs. It takes 12 GB of disk, and most of its time to fill the tables. */
export const growthCommand: Command = (context) =>
  withFolder((folder) =>
    withSupervisor(folder, context.say, async (supervisor) => {
      const { url } = await startDataDirPostgres({ ...context, dataDir: folder }, supervisor)
      await migrate(url)
      context.say('filling the tables')
      await fillTables(url, amounts)
      const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })
      const text = `## Growth

${count(amounts.jobs)} jobs of ${count(amounts.accounts)} accounts, one a second, the last one now. The work of the API and of upkeep on the database,
${calls} calls each, each call about other rows, in turns with \`SELECT 1\`, in milliseconds. Some calls are several statements. Goal: p99 below 20 ms, beside
what \`SELECT 1\` takes on a machine with other work.

| | p50 | p99 | \`SELECT 1\`: p50 | p99 | processor time of PostgreSQL: p50 | p99 |
|---|---|---|---|---|---|---|
${(await measureQueries(url, amounts, context.say)).join('\n')}

What a row takes on disk. The indexes were built from sorted rows; after months of random ids they take up to a half more.

| table | rows | bytes a row | bytes a row in indexes |
|---|---|---|---|
${(await measureTables(url)).map((row) => `| \`${row.table}\` | ${count(row.rows)} | ${count(row.rowBytes)} | ${count(row.indexBytes)} |`).join('\n')}
`
      await report(context, 'growth', text)
      return 0
    }),
  )

/** A row of the table for every query of the API and of upkeep. Linux only, as PostgreSQL must run on this machine. */
async function measureQueries(url: string, filled: Amounts, say: (message: string) => void): Promise<string[]> {
  // One connection, so that one process of PostgreSQL does all the work.
  const db = openDatabase(url, { poolSize: 1 })
  try {
    const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    const cpu = () => cpuMillisecondsOf(backend?.pid ?? 0)
    const rows: string[] = []
    for (const [name, run] of Object.entries(queriesOf(db, filled))) {
      say(name)
      const times: [whole: number[], bare: number[], cpu: number[]] = [[], [], []]
      for (let call = 1 - warmUps; call <= calls; call += 1) {
        const bare = await timed(() => db.$queryRaw`SELECT 1`)
        const before = cpu()
        const whole = await timed(() => run(((call + warmUps) * stride) % filled.jobs))
        const used = cpu() - before
        if (call > 0) for (const [index, value] of [whole, bare, used].entries()) times[index]?.push(value)
      }
      const cells = times.flatMap((values) => [percentile(values, 0.5), percentile(values, 0.99)])
      rows.push(`| ${name} | ${cells.map((value) => value.toFixed(1)).join(' | ')} |`)
    }
    return rows
  } finally {
    await db.$disconnect()
  }
}

/** Processor time in nanoseconds is the first field of /proc/PID/schedstat: Documentation/scheduler/sched-stats.rst. */
function cpuMillisecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
}

interface TableSize {
  readonly table: string
  readonly rows: number
  readonly rowBytes: number
  readonly indexBytes: number
}

/** The bytes that a row takes in each large table, and in its indexes. */
async function measureTables(url: string): Promise<TableSize[]> {
  const client = new pg.Client({ connectionString: url })
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
