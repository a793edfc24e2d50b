import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Run } from './main.ts'
import { withSupervisor } from './stack/supervised.ts'
import { runVitest, testVariables } from './test/vitest.ts'

/** `npm run test:money [-- SEQUENCES]`: the long form of the test that holds money against its model. 10,000 unless told otherwise. */
export const run: Run = async (context) => {
  const sequences = Number(context.args[0] ?? 10_000)
  if (!(sequences > 0)) throw new Error('usage: npm run test:money -- SEQUENCES')
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-money-'))
  return withSupervisor(folder, context.say, async (supervisor) => {
    supervisor.removeAtEnd(folder)
    const variables = {
      ...(await testVariables(context, path.join(folder, 'tmp'))),
      MONEY_SEQUENCES: String(sequences),
    }
    const { passed, failed } = await runVitest(
      { ...context, args: ['test/billing/money'] },
      supervisor,
      folder,
      variables,
    )
    console.log(`${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  })
}
