import { expect, it } from 'vitest'
import { checkTools, type ToolPaths } from '../../../src/media/tools/ffprobe.ts'
import { mediaTools } from '../../setup/tools.ts'
import { fakeTool, versionText } from './fake-tool.ts'

const real: ToolPaths = { FFMPEG_PATH: mediaTools.ffmpegPath, FFPROBE_PATH: mediaTools.ffprobePath }
const advice = {
  FFMPEG_PATH: 'set it to ffmpeg 9.0 (docs/production.md says where to get it)',
  FFPROBE_PATH: 'set it to ffprobe 8.1 (docs/production.md says where to get it)',
} as const

function fakePair(ffmpeg: string, ffprobe = '8.1'): ToolPaths {
  return {
    FFMPEG_PATH: fakeTool('ffmpeg', versionText('ffmpeg', ffmpeg)),
    FFPROBE_PATH: fakeTool('ffprobe', versionText('ffprobe', ffprobe)),
  }
}

it('the build that these tests run on is supported, and has a name that another build does not have', async () => {
  const name = await checkTools(real)
  expect(name).toMatch(/^[0-9a-f]{8}$/)
  expect(await checkTools(fakePair('n9.0.2'))).not.toBe(name)
})

it.each([
  ['9.0', '8.1'],
  ['n9.0.2-17-g2a571b6068-20260930', 'n8.1.2'],
  ['9.0.2-0ubuntu1', '8.1.2-0ubuntu1'],
  ['9.0-full_build-www.example.com', '8.1-full_build-www.example.com'],
])('ffmpeg %s with ffprobe %s is supported', async (ffmpeg, ffprobe) => {
  await expect(checkTools(fakePair(ffmpeg, ffprobe))).resolves.toMatch(/^[0-9a-f]{8}$/)
})

const refused = [
  ...['5.1.9-0+deb12u1', 'n8.0.1', '8.1.2', '9.00', '9.1', 'n9.0-dev-120-gd0e1f2a', 'N-118193-g5f1b9aa'].map(
    (version) => ['FFMPEG_PATH', version, () => fakePair(version)] as const,
  ),
  ...['5.1.9-0+deb12u1', '8.10', '9.0.2-static', 'n8.1-dev-120-gd0e1f2a'].map(
    (version) => ['FFPROBE_PATH', version, () => fakePair('9.0', version)] as const,
  ),
]

it.each(refused)('%s of version %s is refused with one line that says what to set', async (variable, version, pair) => {
  const tools = pair()
  await expect(checkTools(tools)).rejects.toThrow(
    new Error(`${variable}: ${tools[variable]} is ${version}, which is not tested; ${advice[variable]}`),
  )
})

it.each(['libx264', 'libx265', 'libvpx', 'libmp3lame', 'libopus', 'libzimg'])(
  'a build without %s is refused',
  async (library) => {
    const FFMPEG_PATH = fakeTool('ffmpeg', versionText('ffmpeg', '9.0').replace(`--enable-${library}`, ''))
    await expect(checkTools({ ...fakePair('9.0'), FFMPEG_PATH })).rejects.toThrow(
      new Error(`FFMPEG_PATH: ${FFMPEG_PATH} is built without ${library}; ${advice.FFMPEG_PATH}`),
    )
  },
)

it.each([
  ['FFMPEG_PATH', '/nowhere/ffmpeg', 'cannot be run'],
  ['FFPROBE_PATH', '/nowhere/ffprobe', 'cannot be run'],
  ['FFMPEG_PATH', real.FFPROBE_PATH, 'is not ffmpeg'],
  ['FFPROBE_PATH', real.FFMPEG_PATH, 'is not ffprobe'],
] as const)('%s=%s is refused, because it %s', async (variable, tool, problem) => {
  await expect(checkTools({ ...real, [variable]: tool })).rejects.toThrow(
    new Error(`${variable}: ${tool} ${problem}; ${advice[variable]}`),
  )
})
