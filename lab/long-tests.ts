import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Command, Context } from '../scripts/main.ts'
import type { Environment } from '../scripts/stack/ports.ts'
import { runTests } from '../scripts/test/run-tests.ts'
import { runVitest, toolVariables } from '../scripts/test/vitest.ts'
import { report } from './figures.ts'

// The long forms of tests of which `npm test` runs a part.

/** `npm run lab -- faults [VITEST ARGUMENT …]`: every fault case on the real stack, or the named test files. */
export const faultsCommand: Command = async (context) => {
  const variables = await toolVariables(context)
  const { root, args } = context
  // Most cases spend their time waiting.
  const files = [...(args.length === 0 ? ['test/faults'] : args), '--maxWorkers=3']
  return runTests(context, async (supervisor, folder) => {
    const records = path.join(folder, 'records')
    const env = { ...variables, FAULTS: 'all', FAULTS_RECORDS: records }
    const counts = await runVitest({ root, args: files }, supervisor, folder, env)
    if (existsSync(records)) await report(context, 'faults', describeFaults(readRecords(records)))
    return [counts]
  })
}

/** `npm run lab -- money [HISTORIES]`: random histories of an account beside a model of its money; by default 10,000. */
export const moneyCommand: Command = async (context) => {
  const [given = 10_000, ...more] = context.args
  const histories = Number(given)
  if (!(histories > 0) || more.length > 0) throw new Error(context.usage)
  return runLongForm(context, 'test/billing/money', { MONEY_SEQUENCES: String(histories) })
}

/** `npm run lab -- corpus`: films of every kind, cut in every mode. */
export const corpusCommand: Command = (context) =>
  runLongForm(context, 'test/media/copying/corpus', { CORPUS: 'whole' })

async function runLongForm(context: Context, tests: string, variables: Environment): Promise<number> {
  const env = { ...(await toolVariables(context)), ...variables }
  return runTests(context, async (supervisor, folder) => [
    await runVitest({ root: context.root, args: [tests] }, supervisor, folder, env),
  ])
}

/** One fault case, as its test observed it. */
const faultRecord = z.object({
  section: z.string(),
  fault: z.string(),
  /** Why the case could not run here; the other fields are then empty. */
  skipped: z.string().optional(),
  end: z.string(),
  captures: z.number(),
  outputs: z.number(),
  leftOver: z.array(z.string()),
})

export type FaultRecord = Readonly<z.output<typeof faultRecord>>

/** In the order of the table. */
function readRecords(folder: string): FaultRecord[] {
  const files = readdirSync(folder).sort()
  return files.map((file) => faultRecord.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))
}

/** A table for each section, in the order of the records. */
export function describeFaults(records: readonly FaultRecord[]): string {
  const sections = [...new Set(records.map(({ section }) => section))]
  const tables = sections.map((section) => {
    const rows = records.filter((record) => record.section === section).map(describeFault)
    return `## ${section}\n\n| fault | end | captures | outputs | left over |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return tables.join('\n')
}

function describeFault({ fault, skipped, end, captures, outputs, leftOver }: FaultRecord): string {
  if (skipped !== undefined) return `| ${fault} | skipped: ${skipped} | | | |`
  return `| ${fault} | ${end} | ${captures} | ${outputs} | ${leftOver.join(', ') || 'nothing'} |`
}
