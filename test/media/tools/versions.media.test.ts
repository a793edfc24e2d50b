import { expect, it } from 'vitest'
import { checkTools, type ToolPaths } from '../../../src/media/tools/versions.ts'
import { mediaTools } from '../../setup/tools.ts'
import { fakeTool, versionText } from './fake-tool.ts'

const real: ToolPaths = { FFMPEG_PATH: mediaTools.ffmpegPath, FFPROBE_PATH: mediaTools.ffprobePath }
const advice = 'set it to ffmpeg 8.1 (docs/production.md says where to get it)'

function fakePair(ffmpeg: string, ffprobe = ffmpeg): ToolPaths {
  return {
    FFMPEG_PATH: fakeTool('ffmpeg', versionText('ffmpeg', ffmpeg)),
    FFPROBE_PATH: fakeTool('ffprobe', versionText('ffprobe', ffprobe)),
  }
}

it('the build that these tests run on is supported, and has a name that another build does not have', async () => {
  const name = await checkTools(real)
  expect(name).toMatch(/^[0-9a-f]{8}$/)
  expect(await checkTools(fakePair('n8.1.2'))).not.toBe(name)
})

it.each(['8.1', 'n8.1.2', '8.1.2-0ubuntu1', '8.1-full_build-www.example.com'])('%s is supported', async (version) => {
  await expect(checkTools(fakePair(version))).resolves.toMatch(/^[0-9a-f]{8}$/)
})

it.each(['5.1.9-0+deb12u1', 'n8.0.1', '8.10', '9.0.2-static', 'n8.1-dev-120-gd0e1f2a', 'N-118193-g5f1b9aa'])(
  '%s is refused with one line that says what to set',
  async (version) => {
    const tools = fakePair(version)
    await expect(checkTools(tools)).rejects.toThrow(
      new Error(`FFMPEG_PATH: ${tools.FFMPEG_PATH} is ${version}, which is not tested; ${advice}`),
    )
  },
)

it('ffmpeg and ffprobe of two versions are refused', async () => {
  const tools = fakePair('8.1.2', '8.1.1')
  await expect(checkTools(tools)).rejects.toThrow(
    new Error(`FFPROBE_PATH: ${tools.FFPROBE_PATH} is 8.1.1, but ffmpeg is 8.1.2; ${advice}`),
  )
})

it.each(['libx264', 'libvpx', 'libmp3lame', 'libopus'])('a build without %s is refused', async (library) => {
  const FFMPEG_PATH = fakeTool('ffmpeg', versionText('ffmpeg', '8.1').replace(`--enable-${library}`, ''))
  await expect(checkTools({ ...fakePair('8.1'), FFMPEG_PATH })).rejects.toThrow(
    new Error(`FFMPEG_PATH: ${FFMPEG_PATH} is built without ${library}; ${advice}`),
  )
})

it.each([
  ['FFMPEG_PATH', '/nowhere/ffmpeg', 'cannot be run'],
  ['FFPROBE_PATH', '/nowhere/ffprobe', 'cannot be run'],
  ['FFMPEG_PATH', real.FFPROBE_PATH, 'is not ffmpeg'],
  ['FFPROBE_PATH', real.FFMPEG_PATH, 'is not ffprobe'],
])('%s=%s is refused, because it %s', async (variable, tool, problem) => {
  await expect(checkTools({ ...real, [variable]: tool })).rejects.toThrow(
    new Error(`${variable}: ${tool} ${problem}; ${advice}`),
  )
})
