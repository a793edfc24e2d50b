import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Context } from '../main.ts'
import type { Supervisor } from '../stack/processes.ts'
import type { Counts } from './run-tests.ts'

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() })

/** The environment of tests that run the tools. Downloads happen in the set-up, before any test's time-out starts. */
export async function toolVariables({ env, findTools }: Context): Promise<NodeJS.ProcessEnv> {
  const { ffmpegPath, ffprobePath, temporalPath } = await findTools()
  return { ...env, FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath, TEMPORAL_PATH: temporalPath }
}

/** Runs the named tests, or all. Their temporary files are deleted with `folder`. */
export async function runVitest(
  { root, args }: Pick<Context, 'root' | 'args'>,
  supervisor: Supervisor,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const report = path.join(folder, 'vitest.json')
  const temporary = path.join(folder, 'tmp')
  mkdirSync(temporary)
  const vitest = supervisor.start({
    name: 'vitest',
    command: [
      binary(root, 'vitest'),
      'run',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/test/second-tries.ts',
      `--outputFile.json=${report}`,
      ...args,
    ],
    cwd: root,
    env: { ...env, TMPDIR: temporary },
    show: true,
    stopSignal: 'SIGINT',
    stopSeconds: 20,
  })
  const how = await vitest.ended
  const { numPassedTests, numFailedTests } = readReport(report)
  // A file that cannot be loaded, or an error outside a test, fails the run but no test.
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

/** A program of the installed packages. */
export function binary(root: string, name: string): string {
  return path.join(root, 'node_modules', '.bin', name)
}
