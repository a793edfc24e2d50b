import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { lock } from '../setup/lock.mjs'
import type { Say } from '../setup/tool-cache.ts'
import { runToEnd } from './run-to-end.ts'

const keptBuilds = 5

/**
 * The folder of the compiled API and worker with their workflow bundle. Compiles them, without type checks, unless they
 * were compiled from the same sources before: compiled, a process starts in a third of the time.
 */
export async function compiledServices(root: string, say: Say): Promise<string> {
  // Below the project, because the services find their packages and migrations in the folders above.
  const cache = path.join(root, 'node_modules', '.cache', 'media-timeline')
  const build = path.join(cache, fingerprint(root))
  const release = await lock(path.join(cache, 'lock'), (holder) => say(`waiting for the set-up of process ${holder}`))
  try {
    if (!existsSync(build)) {
      say('compiling the services')
      const scratch = path.join(cache, 'scratch')
      rmSync(scratch, { recursive: true, force: true })
      await compileServices(root, scratch, ['--noCheck', '--sourceMap', 'false'])
      renameSync(scratch, build)
    }
    utimesSync(build, new Date(), new Date())
    forgetOldest(cache)
    return build
  } finally {
    release()
  }
}

/** Compiles the services and bundles the workflows into the folder. Throws with the compiler's messages. */
export async function compileServices(root: string, folder: string, flags: readonly string[] = []): Promise<void> {
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  const bundle = path.join(folder, 'workflow-bundle.js')
  await Promise.all([
    runToEnd([tsc, '-p', 'tsconfig.build.json', '--outDir', folder, ...flags], { cwd: root }),
    // In a process of its own, whose memory is freed afterwards.
    runToEnd([process.execPath, '--import', 'tsx', 'scripts/build-workflows.ts', bundle], { cwd: root }),
  ])
  // The one file of the services that is not TypeScript.
  const launcher = path.join('src', 'media', 'tools', 'launcher.pl')
  copyFileSync(path.join(root, launcher), path.join(folder, launcher))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

/** A hash of the files that the services are compiled from. */
function fingerprint(root: string): string {
  const hash = createHash('sha256')
  const add = (file: string) => hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
  for (const file of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) add(file)
  for (const folder of ['api', 'activities', 'workflows', 'src', 'scripts/stack']) {
    const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    for (const file of files.toSorted()) add(path.relative(root, file))
  }
  return hash.digest('hex').slice(0, 32)
}

function forgetOldest(cache: string): void {
  const builds = readdirSync(cache, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const age = (name: string) => statSync(path.join(cache, name)).mtimeMs
  const oldest = builds
    .map(({ name }) => name)
    .toSorted((a, b) => age(b) - age(a))
    .slice(keptBuilds)
  for (const name of oldest) rmSync(path.join(cache, name), { recursive: true, force: true })
}
