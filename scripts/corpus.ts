import type { Command } from './main.ts'
import { runTests } from './test/run-tests.ts'
import { runVitest, toolVariables } from './test/vitest.ts'

/** `npm run test:corpus`: the long form of the test that cuts films of every kind in every mode. */
export const corpusCommand: Command = async (context) => {
  const variables = { ...(await toolVariables(context)), CORPUS: 'whole' }
  return runTests(context, async (supervisor, folder) => [
    await runVitest({ root: context.root, args: ['test/media/copying/corpus'] }, supervisor, folder, variables),
  ])
}
