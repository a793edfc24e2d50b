import path from 'node:path'
import { fillTables } from '../bench/growth/fill.ts'
import { describeGrowth } from '../bench/growth/growth-results.ts'
import { measureQueries, measureTables } from '../bench/growth/measure.ts'
import { describeMachine } from '../bench/machine.ts'
import { writePart } from '../bench/results-page.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Context } from './main.ts'
import { startDataDirPostgres } from './stack/stack.ts'
import { withSupervisor } from './stack/supervised.ts'

/** `npm run bench -- growth`: every query on five million jobs. It takes 12 GB of disk, and most of its time to fill the tables. */
export async function benchGrowth(context: Context): Promise<number> {
  const { dataDir, root, say } = context
  const amounts = { accounts: 1_000, jobs: 5_000_000 }
  const { ffmpegPath } = await context.findTools()
  return withSupervisor(dataDir, say, async (supervisor) => {
    const { url } = await startDataDirPostgres(context, supervisor)
    await migrate(url)
    say('filling the tables')
    await fillTables(url, amounts)
    const tables = await measureTables(url)
    const queries = await measureQueries(url, amounts, { calls: 200, say })
    const text = describeGrowth({ amounts, queries, tables, machine: describeMachine(ffmpegPath) })
    writePart(path.join(root, 'bench', 'RESULTS.md'), 'growth', text)
    console.log(text)
    return 0
  })
}
