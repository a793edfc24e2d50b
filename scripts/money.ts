import type { Command } from './main.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest, toolVariables } from './test/vitest.ts'

/** `npm run test:money [-- SEQUENCES]`: the long form of the test that compares money with its model. Default: 10,000. */
export const moneyCommand: Command = async (context) => {
  const [given = 10_000, ...more] = context.args
  const sequences = Number(given)
  if (!(sequences > 0) || more.length > 0) throw new Error(context.usage)
  const variables = { ...(await toolVariables(context)), MONEY_SEQUENCES: String(sequences) }
  return runTests(context, async (supervisor, folder) => [
    await runVitest({ root: context.root, args: ['test/billing/money'] }, supervisor, folder, variables),
  ])
}
