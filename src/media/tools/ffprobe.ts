import { createHash } from 'node:crypto'
import { ServiceError } from '../../core/errors.ts'
import type { FfprobeRun } from '../../core/ffmpeg.ts'
import { inputFlags, quietFlags } from './input-flags.ts'
import { assertSuccess, readToolOutput, type ToolProcess } from './spawn.ts'
import { type ProcessHandle, readErrorLines, readLines } from './supervise.ts'
import { maxProbedPixels } from './tool-limits.ts'

/** Longer than every line about the fields that this service asks for. A text in a file can have any length, and a line is in memory whole. */
const maxLineCharacters = 64 * 1024

/** Runs ffprobe once and passes its output on line by line. */
export async function runFfprobe(
  start: (args: readonly string[]) => ToolProcess,
  { input, options, onLine }: FfprobeRun,
  handle: ProcessHandle,
): Promise<void> {
  const tool = start([...quietFlags, ...options, ...inputFlags(input, maxProbedPixels), '-i', input.path])
  handle.attach(tool)
  readErrorLines(tool.stderr, handle.addStderr)
  readLines(tool.stdout, { maxCharacters: maxLineCharacters, onLine, onLongLine: refuseLongLine }, handle)
  await assertSuccess('ffprobe', tool.exit)
}

function refuseLongLine(): never {
  throw new ServiceError(
    'processing_failed',
    'A tag of the media is too long. Remove the tags of the media, or convert it.',
  )
}

/** The releases that the tests run on. Other releases place cuts, silences and the ends of tracks elsewhere. */
export const testedReleases = { ffmpeg: '9.0', ffprobe: '8.1' } as const

/** The libraries that encode outputs and convert colours; some builds leave one out. */
const libraries = ['libx264', 'libx265', 'libvpx', 'libmp3lame', 'libopus', 'libzimg']

export type ToolPaths = Readonly<Record<'FFMPEG_PATH' | 'FFPROBE_PATH', string>>

const variables = { ffmpeg: 'FFMPEG_PATH', ffprobe: 'FFPROBE_PATH' } as const

type Tool = keyof typeof testedReleases

/**
 * Throws one line for the operator unless ffmpeg and ffprobe are of the tested releases. Returns a name for this build of ffmpeg,
 * because outputs of two builds need not fit together.
 */
export async function checkTools(tools: ToolPaths): Promise<string> {
  const printed = await readVersion('ffmpeg', tools)
  await readVersion('ffprobe', tools)
  const missing = libraries.find((library) => !printed.includes(`--enable-${library}`))
  if (missing !== undefined) throw refusal('ffmpeg', tools, `is built without ${missing}`)
  return createHash('sha256').update(printed).digest('hex').slice(0, 8)
}

async function readVersion(tool: Tool, tools: ToolPaths): Promise<string> {
  const printed = await readToolOutput(tools[variables[tool]], ['-version']).catch((cause: unknown) => {
    throw refusal(tool, tools, 'cannot be run', cause)
  })
  const [, version] = new RegExp(`^${tool} version (\\S+)`).exec(printed) ?? []
  if (version === undefined) throw refusal(tool, tools, `is not ${tool}`)
  if (releaseOf(version) !== testedReleases[tool]) throw refusal(tool, tools, `is ${version}, which is not tested`)
  return printed
}

/** The release of a version such as `9.0.2-0ubuntu1` or `n9.0.2-17-g2a571b6068`. Development snapshots belong to none. */
function releaseOf(version: string): string | undefined {
  return /^n?(\d+\.\d+)(?:\.\d+)?(?![\d.]|-dev)/.exec(version)?.[1]
}

function refusal(tool: Tool, tools: ToolPaths, problem: string, cause?: unknown): Error {
  const variable = variables[tool]
  const advice = `set it to ${tool} ${testedReleases[tool]} (docs/production.md says where to get it)`
  return new Error(`${variable}: ${tools[variable]} ${problem}; ${advice}`, { cause })
}
