import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from '../main.ts'
import type { Supervisor } from '../stack/processes.ts'
import { withSupervisor } from '../stack/supervised.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
}

/**
 * Runs the parts side by side, with a temporary folder that is deleted at the end. The last line of standard output is
 * `N passed, N failed`. Fails if any of them failed.
 */
export async function runTests(
  { say }: Context,
  parts: (supervisor: Supervisor, folder: string) => Promise<readonly Counts[]>,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-tests-'))
  return withSupervisor(folder, say, async (supervisor) => {
    supervisor.removeAtEnd(folder)
    const counts = await parts(supervisor, folder)
    const passed = counts.reduce((sum, count) => sum + count.passed, 0)
    const failed = counts.reduce((sum, count) => sum + count.failed, 0)
    console.log(`${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  })
}
