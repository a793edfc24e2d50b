import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeReliability, faultRecord } from './faults/page.ts'
import type { Command } from './main.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest, toolVariables } from './test/vitest.ts'

/** Runs every fault case on the real stack, or the named test files. If every case passes, writes docs/reliability.md. */
export const faultsCommand: Command = async (context) => {
  const variables = await toolVariables(context)
  const { root, args } = context
  const isWhole = args.length === 0
  // Most cases spend their time waiting.
  const files = [...(isWhole ? ['test/faults'] : args), '--maxWorkers=3']
  return runTests(context, async (supervisor, folder) => {
    const records = path.join(folder, 'records')
    const env = { ...variables, FAULTS: 'all', FAULTS_RECORDS: records }
    const counts = await runVitest({ root, args: files }, supervisor, folder, env)
    if (isWhole && counts.failed === 0) writeFileSync(path.join(root, 'docs', 'reliability.md'), pageOf(records))
    return [counts]
  })
}

/** The records are in the order of the page. */
function pageOf(folder: string): string {
  const files = readdirSync(folder).sort()
  return describeReliability(
    files.map((file) => faultRecord.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')))),
  )
}
