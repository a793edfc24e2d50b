import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '../../scripts/stack/run-to-end.ts'
import { bundleWorkflows, copyLauncher } from '../../scripts/stack/services.ts'

/**
 * Compiles the service and its workflows into a folder, like `npm run build` but without type checks, and returns the
 * folder of the compiled files. A compiled process starts in a third of the time.
 */
export async function compileService(root: string, folder: string): Promise<string> {
  const build = path.join(folder, 'dist')
  mkdirSync(folder)
  for (const name of ['package.json', 'node_modules', 'prisma'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  await Promise.all([
    runToEnd([tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', build], { cwd: root }),
    bundleWorkflows(root, path.join(build, 'workflow-bundle.js')),
  ])
  await copyLauncher(root, build)
  return build
}
