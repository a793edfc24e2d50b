import type { Context } from '../main.ts'
import type { Supervisor } from '../stack/processes.ts'
import type { Counts } from './run-tests.ts'
import { binary } from './vitest.ts'

/** Each counts as one test. */
const checks = {
  types: ['tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsconfig.tsbuildinfo'],
  'types of the dashboard': [
    'tsc',
    '-p',
    'web',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/web.tsbuildinfo',
  ],
  'format and lint': ['biome', 'ci', '--error-on-warnings', '.'],
  'promises and unsafe types': ['oxlint', '--type-aware', '--deny-warnings'],
  'directions of imports': ['depcruise', '.'],
  'dead code': ['knip'],
} as const satisfies Record<string, readonly [string, ...string[]]>

type Check = keyof typeof checks

export const fastChecks: readonly Check[] = [
  'types',
  'types of the dashboard',
  'format and lint',
  'promises and unsafe types',
]
export const allChecks: readonly Check[] = [...fastChecks, 'directions of imports', 'dead code']

/** Runs the checks one after the other, which leaves a core for the tests that run beside them. */
export async function runChecks(context: Context, supervisor: Supervisor, names: readonly Check[]): Promise<Counts[]> {
  const counts: Counts[] = []
  for (const name of names) counts.push(await runCheck(context, supervisor, name))
  return counts
}

async function runCheck({ root, env }: Context, supervisor: Supervisor, name: Check): Promise<Counts> {
  const [program, ...args] = checks[name]
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
