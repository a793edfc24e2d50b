import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { Context, Run } from './main.ts'
import type { Supervisor } from './stack/processes.ts'
import { withSupervisor } from './stack/supervised.ts'

/** Each counts as one test. */
const checks: Readonly<Record<string, readonly string[]>> = {
  'format and lint': ['biome', 'ci', '.'],
  types: ['tsc', '-p', '.'],
  'promises and unsafe types': ['oxlint', '--type-aware'],
  'directions of imports': ['depcruise', '.'],
  'dead code': ['knip'],
}

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() })

interface Counts {
  readonly passed: number
  readonly failed: number
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

/** Fetching tools belongs to the set-up, before any test's clock runs. What tests leave in `temporary` goes with it. */
async function testVariables({ env, findTools }: Context, temporary: string): Promise<NodeJS.ProcessEnv> {
  const { ffmpegPath, ffprobePath, temporalPath } = await findTools()
  mkdirSync(temporary)
  const tools = { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath, TEMPORAL_PATH: temporalPath }
  return { ...env, ...tools, TMPDIR: temporary }
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

async function runVitest({ root, args }: Context, supervisor: Supervisor, folder: string, env: NodeJS.ProcessEnv) {
  const report = path.join(folder, 'vitest.json')
  const vitest = supervisor.start({
    name: 'vitest',
    command: [
      binary(root, 'vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    cwd: root,
    env,
    show: true,
    stopSignal: 'SIGINT',
    stopSeconds: 20,
  })
  const how = await vitest.ended
  const { numPassedTests, numFailedTests } = readReport(report)
  // A file that cannot be loaded or an error outside a test fails the run without failing a test.
  const failed = how === 'ended with code 0' ? numFailedTests : Math.max(1, numFailedTests)
  return { passed: numPassedTests, failed }
}

function readReport(file: string): z.output<typeof vitestReport> {
  try {
    return vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 }
  }
}

function binary(root: string, name: string): string {
  return path.join(root, 'node_modules', '.bin', name)
}
