import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import { cachedFolder, type Say } from './tool-cache.ts'
import { pipOptions, pipVariables } from './wheel-programs.ts'

const locks = ['package.json', 'package-lock.json', 'requirements.txt']

/**
 * The cache folder with the clients that `declared` locks: the conformance suite, with a Node that runs it, in
 * `node_modules`, and the Python client in `python`. Undefined if npm or pip cannot download them.
 */
export async function resolveMcpClients(
  declared: string,
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  // A compiled wheel fits one version of Python.
  const tag = await runToEnd(['python3', '-c', 'import sys; print(sys.implementation.cache_tag)'], { env }).catch(
    () => undefined,
  )
  if (tag === undefined) return undefined
  const hash = createHash('sha256')
  for (const file of locks) hash.update(readFileSync(path.join(declared, file)))
  const name = `mcp-clients-${hash.digest('hex').slice(0, 12)}-${tag.trim()}`
  return cachedFolder({ cacheDir, name, say, fill: (scratch) => fetchClients(declared, scratch, env, say) })
}

async function fetchClients(declared: string, scratch: string, env: Environment, say: Say): Promise<string> {
  say('fetching clients of the Model Context Protocol (90 MB) with npm and pip')
  const folder = path.join(scratch, 'clients')
  mkdirSync(folder)
  for (const file of locks) cpSync(path.join(declared, file), path.join(folder, file))
  const npm = [
    'npm',
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ] as const
  const pip = ['python3', '-m', 'pip', 'install', ...pipOptions, '--target', path.join(folder, 'python')] as const
  const requirements = ['-r', path.join(folder, 'requirements.txt')]
  await Promise.all([
    runToEnd(npm, { cwd: folder, env }),
    runToEnd([...pip, ...requirements], { cwd: folder, env: { ...env, ...pipVariables } }),
  ])
  return folder
}
