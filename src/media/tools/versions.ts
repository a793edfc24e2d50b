import { createHash } from 'node:crypto'
import { readToolOutput } from './spawn.ts'

/** Releases of ffmpeg that the tests run on. Other releases place cuts, silences and the ends of tracks elsewhere. */
export const supportedFfmpeg: readonly string[] = ['8.1']

/** The libraries that encode outputs; some builds leave one out. */
const libraries = ['libx264', 'libvpx', 'libmp3lame', 'libopus']

export type ToolPaths = Readonly<Record<'FFMPEG_PATH' | 'FFPROBE_PATH', string>>

/**
 * Throws one line for the operator unless ffmpeg and ffprobe have the same supported version. Returns a name for this build of
 * ffmpeg, because outputs of two builds need not fit together.
 */
export async function checkTools(tools: ToolPaths): Promise<string> {
  const ffmpeg = await readVersion('ffmpeg', 'FFMPEG_PATH', tools)
  const ffprobe = await readVersion('ffprobe', 'FFPROBE_PATH', tools)
  if (ffprobe.version !== ffmpeg.version)
    throw refusal('FFPROBE_PATH', tools, `is ${ffprobe.version}, but ffmpeg is ${ffmpeg.version}`)
  const missing = libraries.find((library) => !ffmpeg.printed.includes(`--enable-${library}`))
  if (missing !== undefined) throw refusal('FFMPEG_PATH', tools, `is built without ${missing}`)
  return createHash('sha256').update(ffmpeg.printed).digest('hex').slice(0, 8)
}

async function readVersion(name: string, variable: keyof ToolPaths, tools: ToolPaths) {
  const printed = await readToolOutput(tools[variable], ['-version']).catch((cause: unknown) => {
    throw refusal(variable, tools, 'cannot be run', cause)
  })
  const [, version] = new RegExp(`^${name} version (\\S+)`).exec(printed) ?? []
  if (version === undefined) throw refusal(variable, tools, `is not ${name}`)
  if (!isSupported(version)) throw refusal(variable, tools, `is ${version}, which is not tested`)
  return { version, printed }
}

/** Whether a version such as `8.1.2-0ubuntu1` or `n8.1.2` belongs to a supported release. Development snapshots belong to none. */
function isSupported(version: string): boolean {
  const [, release] = /^n?(\d+\.\d+)(?:\.\d+)?(?![\d.]|-dev)/.exec(version) ?? []
  return release !== undefined && supportedFfmpeg.includes(release)
}

function refusal(variable: keyof ToolPaths, tools: ToolPaths, problem: string, cause?: unknown): Error {
  const advice = `set it to ffmpeg ${supportedFfmpeg.join(' or ')} (docs/production.md says where to get it)`
  return new Error(`${variable}: ${tools[variable]} ${problem}; ${advice}`, { cause })
}
