import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context, Run } from './main.ts'
import type { Supervisor } from './stack/processes.ts'
import { withSupervisor } from './stack/supervised.ts'
import { binary, type Counts, runVitest, testVariables } from './test/vitest.ts'

/** Each counts as one test. */
const checks: Readonly<Record<string, readonly string[]>> = {
  'format and lint': ['biome', 'ci', '.'],
  types: ['tsc', '-p', '.'],
  'promises and unsafe types': ['oxlint', '--type-aware'],
  'directions of imports': ['depcruise', '.'],
  'dead code': ['knip'],
}

/** Every check, then every test. The last line of standard output is `N passed, N failed`. Arguments go to vitest. */
export const run: Run = async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-checks-'))
  return withSupervisor(folder, context.say, async (supervisor) => {
    supervisor.removeAtEnd(folder)
    const variables = await testVariables(context, path.join(folder, 'tmp'))
    const counts: Counts[] = []
    for (const [name, command] of Object.entries(checks)) {
      counts.push(await runCheck(context, supervisor, name, command))
    }
    counts.push(await runVitest(context, supervisor, folder, variables))
    const passed = counts.reduce((sum, count) => sum + count.passed, 0)
    const failed = counts.reduce((sum, count) => sum + count.failed, 0)
    console.log(`${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  })
}

async function runCheck(
  { root, env }: Context,
  supervisor: Supervisor,
  name: string,
  [program = '', ...args]: readonly string[],
): Promise<Counts> {
  const started = performance.now()
  const check = supervisor.start({
    name: program,
    command: [binary(root, program), ...args],
    cwd: root,
    env: { ...env, NO_COLOR: '1' },
  })
  const how = await check.ended
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (how === 'ended with code 0') {
    console.log(`✓ ${name} (${program}, ${seconds} s)`)
    return { passed: 1, failed: 0 }
  }
  console.log(`✗ ${name}: ${program} ${how}\n${check.tail(200)}`)
  return { passed: 0, failed: 1 }
}
