import { createHash } from 'node:crypto'
import { readToolOutput } from './spawn.ts'

/**
 * Throws a line for the operator if ffmpeg or ffprobe cannot be run. Returns a name for this build of ffmpeg: outputs of two
 * builds need not fit together.
 */
export async function checkTools(tools: Readonly<Record<'FFMPEG_PATH' | 'FFPROBE_PATH', string>>): Promise<string> {
  const [ffmpeg] = await Promise.all([
    readVersion('FFMPEG_PATH', tools.FFMPEG_PATH),
    readVersion('FFPROBE_PATH', tools.FFPROBE_PATH),
  ])
  return createHash('sha256').update(ffmpeg).digest('hex').slice(0, 8)
}

async function readVersion(variable: string, tool: string): Promise<string> {
  return readToolOutput(tool, ['-version']).catch((cause: unknown) => {
    throw new Error(`${variable}: ${tool} cannot be run; install ffmpeg 5.1 or newer, or name it here`, { cause })
  })
}
