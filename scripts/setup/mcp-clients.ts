import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import { npmCommand } from './packages.mjs'
import { installPythonPackages, pythonLockName } from './python-packages.ts'
import { cachedFolder, type Say } from './tool-cache.ts'

const locks = ['package.json', 'package-lock.json', 'requirements.txt']

/**
 * The cache folder with the clients that `declared` locks: the conformance suite, with a Node that runs it, in
 * `node_modules`, and the clients of Python in `python`. Undefined if npm or pip cannot download them.
 */
export async function resolveMcpClients(
  declared: string,
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  const lockName = await pythonLockName(
    locks.map((file) => path.join(declared, file)),
    env,
  )
  if (lockName === undefined) return undefined
  const name = `mcp-clients-${lockName}`
  return cachedFolder({ cacheDir, name, say, fill: (scratch) => fetchClients(declared, scratch, env, say) })
}

async function fetchClients(declared: string, scratch: string, env: Environment, say: Say): Promise<string> {
  say('fetching clients of the Model Context Protocol (100 MB) with npm and pip')
  const folder = path.join(scratch, 'clients')
  mkdirSync(folder)
  for (const file of locks) cpSync(path.join(declared, file), path.join(folder, file))
  const npm = npmCommand(['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  await Promise.all([
    runToEnd(npm, { cwd: folder, env }),
    installPythonPackages(path.join(folder, 'requirements.txt'), path.join(folder, 'python'), env),
  ])
  return folder
}
