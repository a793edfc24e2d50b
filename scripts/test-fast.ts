import type { Command } from './main.ts'
import { fastChecks, runChecks } from './test/checks.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest } from './test/vitest.ts'

/** Types, lint and the tests that need no service and no tool. Arguments go to vitest. */
export const testFastCommand: Command = (context) =>
  runTests(context, async (supervisor, folder) => {
    const unit = { root: context.root, args: ['--project', 'unit', ...context.args] }
    const [checked, tested] = await Promise.all([
      runChecks(context, supervisor, fastChecks),
      runVitest(unit, supervisor, folder, context.env),
    ])
    return [...checked, tested]
  })
