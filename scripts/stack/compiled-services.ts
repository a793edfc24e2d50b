import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { guideNames } from '../../api/docs/guides.ts'
import { lock } from '../setup/lock.mjs'
import type { Say } from '../setup/tool-cache.ts'
import { runToEnd } from './run-to-end.ts'

const keptBuilds = 5

/** The folder of the compiled services. Compiles them, unless they were compiled from the same sources before. */
export async function compiledServices(root: string, say: Say): Promise<string> {
  // Below the project, because the services find their packages and migrations in the folders above.
  const cache = path.join(root, 'node_modules', '.cache', 'media-timeline')
  const folder = path.join(cache, fingerprint(root))
  const release = await lock(path.join(cache, 'lock'), (holder) => say(`waiting for the set-up of process ${holder}`))
  try {
    if (!existsSync(folder)) {
      say('compiling the services')
      const scratch = path.join(cache, 'scratch')
      rmSync(scratch, { recursive: true, force: true })
      await compileServices(root, scratch)
      renameSync(scratch, folder)
    }
    utimesSync(folder, new Date(), new Date())
    forgetOldest(cache)
    return folder
  } finally {
    release()
  }
}

/** Compiles the services and the workflows into the folder. Throws with the compiler's messages. */
export async function compileServices(root: string, folder: string, { sourcemap = false } = {}): Promise<void> {
  const compile = (services: BuildOptions) =>
    build({ ...bundled, absWorkingDir: root, outdir: folder, sourcemap, sourcesContent: false, ...services })
  const workflows = path.join(folder, 'workflow-bundle.js')
  await Promise.all([
    compile({ entryPoints: ['api/server.ts', 'src/watchdog/watchdog-thread.ts', 'src/commands/*.ts'] }),
    // Temporal's SDK starts a thread from a file of its own, and what it shares with its other packages must exist once.
    compile({
      entryPoints: ['activities/worker.ts', 'src/models/inference-process.ts', 'src/media/captions/paint-thread.ts'],
      external: ['@temporalio/*', ...notBundled],
    }),
    // In a process of its own, whose memory is freed afterwards.
    runToEnd([process.execPath, '--import', 'tsx', 'scripts/build-workflows.ts', workflows], { cwd: root }),
    buildPages(root, path.join(folder, 'pages')),
  ])
  for (const file of copied) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    copyFileSync(path.join(root, file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
}

/** What the services read that is not TypeScript. */
const copied = ['src/media/tools/launcher.pl', ...guideNames.map((name) => `docs/${name}.md`)]

/** Builds the dashboard into the folder, and the timeline inside a chat. */
async function buildPages(root: string, folder: string): Promise<void> {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const build = (...options: string[]) =>
    runToEnd([process.execPath, vite, 'build', 'web', '--logLevel', 'warn', ...options], {
      cwd: root,
      // Otherwise a build by the tests would have the libraries' checks for development.
      env: { ...process.env, NODE_ENV: 'production' },
    })
  await build('--outDir', folder)
  await build('--config', 'web/chat.config.ts', '--outDir', path.join(folder, 'chat'))
}

/** Packages that need not be installed, or find their native code by their own place. */
const notBundled = ['pg-native', 'onnxruntime-node']

/**
 * Each service is one file with what it imports of packages, and chunks for what it imports later: a process that loads some
 * two thousand files starts with two to three times the processor time.
 */
const bundled: BuildOptions = {
  outbase: '.',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: notBundled,
  // Packages in CommonJS expect these.
  banner: {
    js: `import { createRequire as createPackageRequire } from 'node:module'
const require = createPackageRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename`,
  },
  logLevel: 'silent',
}

/** A hash of the files that the services are compiled from. */
function fingerprint(root: string): string {
  const hash = createHash('sha256')
  const add = (file: string) => hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
  for (const file of ['package-lock.json', 'tsconfig.json', ...copied]) add(file)
  for (const folder of ['api', 'activities', 'workflows', 'src', 'web', 'scripts/stack']) {
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
