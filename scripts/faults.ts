import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeReliability, faultRecord } from './faults/page.ts'
import type { Run } from './main.ts'
import { withSupervisor } from './stack/supervised.ts'
import { runVitest, testVariables } from './test/vitest.ts'

/** Every fault case on the real stack, or those of the files that arguments name. All of them, gone as they should, write docs/reliability.md. */
export const run: Run = async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-faults-'))
  return withSupervisor(folder, context.say, async (supervisor) => {
    supervisor.removeAtEnd(folder)
    const records = path.join(folder, 'records')
    const variables = {
      ...(await testVariables(context, path.join(folder, 'tmp'))),
      FAULTS: 'all',
      FAULTS_RECORDS: records,
    }
    const isWhole = context.args.length === 0
    // Most cases spend their time in waiting.
    const args = [...(isWhole ? ['test/faults'] : context.args), '--maxWorkers=3']
    const { passed, failed } = await runVitest({ ...context, args }, supervisor, folder, variables)
    if (isWhole && failed === 0) writeFileSync(path.join(context.root, 'docs', 'reliability.md'), pageOf(records))
    console.log(`${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  })
}

/** The records lie in the order of the page. */
function pageOf(folder: string): string {
  const files = readdirSync(folder).sort()
  return describeReliability(
    files.map((file) => faultRecord.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')))),
  )
}
