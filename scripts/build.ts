import path from 'node:path'
import type { Command } from './main.ts'
import { runToEnd } from './stack/run-to-end.ts'
import { copyLauncher } from './stack/services.ts'

/** Compiles to dist/, with the workflow bundle, for production. */
export const buildCommand: Command = async ({ root }) => {
  const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
  console.log(await runToEnd([bin('tsc'), '-p', 'tsconfig.build.json'], { cwd: root }))
  await copyLauncher(root, path.join(root, 'dist'))
  console.log(await runToEnd([process.execPath, '--import', 'tsx', 'scripts/build-workflows.ts'], { cwd: root }))
  return 0
}
