import type { Command } from './main.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest, toolVariables } from './test/vitest.ts'

/** `npm run test:money [-- SEQUENCES]`: the long form of the test that compares money with its model. Default: 10,000. */
export const moneyCommand: Command = async (context) => {
  const sequences = Number(context.args[0] ?? 10_000)
  if (!(sequences > 0)) throw new Error('usage: npm run test:money -- SEQUENCES')
  const variables = { ...(await toolVariables(context)), MONEY_SEQUENCES: String(sequences) }
  return runTests(context, async (supervisor, folder) => [
    await runVitest({ root: context.root, args: ['test/billing/money'] }, supervisor, folder, variables),
  ])
}
