import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import { cachedFolder, type Say } from './tool-cache.ts'
import { pipOptions, pipVariables } from './wheel-programs.ts'

/** The end of a cache folder's name: what the files lock, for this version of Python, as a compiled wheel fits one. Undefined without Python. */
export async function pythonLockName(files: readonly string[], env: Environment): Promise<string | undefined> {
  const tag = await runToEnd(['python3', '-c', 'import sys; print(sys.implementation.cache_tag)'], { env }).catch(
    () => undefined,
  )
  if (tag === undefined) return undefined
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return `${hash.digest('hex').slice(0, 12)}-${tag.trim()}`
}

/** Installs the packages that a requirements file lists, which is all that they need, into a folder for PYTHONPATH. */
export async function installPythonPackages(requirements: string, folder: string, env: Environment): Promise<void> {
  const options = [...pipOptions, '--no-deps', '--target', folder, '-r', requirements]
  await runToEnd(['python3', '-m', 'pip', 'install', ...options], {
    cwd: path.dirname(folder),
    env: { ...env, ...pipVariables },
  })
}

/** The cache folder with the packages of a requirements file; undefined if pip cannot download them. */
export async function resolvePythonPackages(
  { name, requirements }: { readonly name: string; readonly requirements: string },
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  const lockName = await pythonLockName([requirements], env)
  if (lockName === undefined) return undefined
  const fill = async (scratch: string) => {
    say(`fetching ${name} with pip`)
    const folder = path.join(scratch, 'packages')
    await installPythonPackages(requirements, folder, env)
    return folder
  }
  return cachedFolder({ cacheDir, name: `${name}-${lockName}`, say, fill })
}
