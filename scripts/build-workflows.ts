import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

// Writes the workflow bundle to the file of the argument. A worker that starts from a bundle needs no sources, and a fraction
// of the time and memory of bundling.

const root = path.join(import.meta.dirname, '..')
const [target = path.join(root, 'dist', 'workflow-bundle.js')] = process.argv.slice(2)

const { code } = await bundleWorkflowCode({
  workflowsPath: path.join(root, 'workflows', 'index.ts'),
  workflowInterceptorModules: [path.join(root, 'workflows', 'trace-context.ts')],
  logger: new DefaultLogger('WARN'),
})
await mkdir(path.dirname(target), { recursive: true })
await writeFile(target, code)
console.error(`${path.relative(root, target)}: ${Math.round(code.length / 1024)} KiB`)
