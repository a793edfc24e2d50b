import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeStills } from '../../../src/media/frames/write-stills.ts'
import { mediaTools } from '../../setup/tools.ts'
import { clipFile } from '../clip-file.ts'
import { never, pictureOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const folder = temporaryFolder()
const upright = path.join(folder, 'upright.mp4')
const run = (args: readonly string[]) => promisify(execFile)(mediaTools.ffmpegPath, ['-y', '-v', 'error', ...args])

/** A colour in each corner, so that no two turns look alike. */
async function cornersOf(file: string) {
  const { width, height, rgb } = await pictureOf(file, 'format=rgb24')
  const colourAt = (across: number, down: number) => {
    const at = 3 * (Math.floor(down * height) * width + Math.floor(across * width))
    return [...rgb.subarray(at, at + 3)].map((value) => (value > 128 ? 1 : 0)).join('')
  }
  const corners = [colourAt(0.25, 0.25), colourAt(0.75, 0.25), colourAt(0.25, 0.75), colourAt(0.75, 0.75)]
  return { corners: corners.join(' '), isWide: width > height }
}

beforeAll(async () => {
  const colours = ['red', 'lime', 'blue', 'white'].flatMap((name) => [
    '-f',
    'lavfi',
    '-i',
    `color=${name}:s=160x90:r=25:d=3`,
  ])
  const stacked = '[0][1]hstack[top];[2][3]hstack[bottom];[top][bottom]vstack'
  await run([...colours, '-filter_complex', stacked, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', upright])
})

describe.each([
  ['a quarter left', 'mp4', ['-display_rotation', '90'], '010 111 100 001', false],
  ['half', 'mp4', ['-display_rotation', '180'], '111 001 010 100', true],
  ['a quarter right', 'mp4', ['-display_rotation', '270'], '001 100 111 010', false],
  ['from left to right', 'mp4', ['-display_hflip'], '010 100 111 001', true],
  ['from top to bottom', 'mp4', ['-display_vflip'], '001 111 100 010', true],
  ['a quarter left, then mirrored', 'mov', ['-display_rotation', '90', '-display_hflip'], undefined, false],
  ['a quarter right, then upside down', 'mov', ['-display_rotation', '270', '-display_vflip'], undefined, false],
  ['a quarter left in Matroska', 'mkv', ['-display_rotation', '90'], '010 111 100 001', false],
] as const)('film that is turned %s', (name, container, options, corners, isWide) => {
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.${container}`)

  beforeAll(async () => {
    await run([...options, '-i', upright, '-c', 'copy', file])
  })

  it.each(['exact', 'smart', 'copy'] as const)('is shown by a clip as players show the source: %s', async (mode) => {
    const shown = await cornersOf(file)
    expect(shown).toEqual({ corners: corners ?? shown.corners, isWide })
    const { outputPath, poster } = await clipFile(mode, file, { ranges: [{ start: 0.5, end: 2.1 }] })
    expect(await cornersOf(outputPath)).toEqual(shown)
    expect(await cornersOf(poster?.path ?? '')).toEqual(shown)
  })

  it('is upright where ranges are joined, in a square, and in stills', async () => {
    const shown = await cornersOf(file)
    const ranges = [
      { start: 0.2, end: 0.8 },
      { start: 1.5, end: 2.1 },
    ]
    const joined = await clipFile('exact', file, { ranges })
    expect(await cornersOf(joined.outputPath)).toEqual(shown)
    const square = await clipFile('exact', file, { ranges, picture: { aspect: '1:1', fit: 'crop', heightPixels: 90 } })
    expect(await cornersOf(square.outputPath)).toEqual({ ...shown, isWide: false })
    const { tracks } = joined
    if (!tracks.video) throw new Error('no picture')
    const still = path.join(temporaryFolder(), 'still.jpg')
    await writeStills({
      tracks,
      video: tracks.video,
      ffmpeg: testFfmpeg(),
      signal: never,
      seconds: 1,
      stills: [{ path: still }],
    })
    expect(await cornersOf(still)).toEqual(shown)
  })
})

it.each([
  ['from left to right', ['-display_hflip']],
  ['from top to bottom', ['-display_vflip']],
  ['a quarter left, then mirrored', ['-display_rotation', '90', '-display_hflip']],
  ['a quarter right, then upside down', ['-display_rotation', '270', '-display_vflip']],
  ['half', ['-display_rotation', '180']],
] as const)('interlaced film that is turned %s is deinterlaced as players show it', async (name, options) => {
  const [fields, file] = [path.join(folder, 'fields.mov'), path.join(folder, `${name.replaceAll(' ', '-')}-fields.mov`)]
  const coding = ['-vf', 'setfield=tff', '-c:v', 'libx264', '-preset', 'ultrafast', '-flags', '+ilme+ildct', '-g', '10']
  await run(['-i', upright, ...coding, fields])
  await run([...options, '-i', fields, '-c', 'copy', file])
  const shown = await cornersOf(file)
  const { outputPath, poster } = await clipFile('exact', file, { ranges: [{ start: 0.5, end: 2.1 }] })
  expect(await cornersOf(outputPath)).toEqual(shown)
  expect(await cornersOf(poster?.path ?? '')).toEqual(shown)
})
