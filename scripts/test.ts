import type { Command } from './main.ts'
import { allChecks, runChecks } from './test/checks.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest, toolVariables } from './test/vitest.ts'

/**
 * Every check and every test, side by side. Arguments go to vitest, and leave the checks out. The last line of standard
 * output is `N passed, N failed`.
 */
export const testCommand: Command = async (context) => {
  const variables = { ...(await toolVariables(context)), TEST_FILE_MINUTES: '20' }
  const checks = context.args.length === 0 ? allChecks : []
  return runTests(context, async (supervisor, folder) => {
    const [checked, tested] = await Promise.all([
      runChecks(context, supervisor, checks),
      runVitest(context, supervisor, folder, variables),
    ])
    return [...checked, tested]
  })
}
