import path from 'node:path'
import { expect, it } from 'vitest'
import { cutClip } from '../../../src/media/clip/cut.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { colourOf, never, pictureOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const red = [0xe0, 0x10, 0x10]

async function cut(name: FixtureName, extra: object = {}, format: 'mp4' | 'webm' = 'mp4') {
  const file = await fixture(name)
  const { format: from } = await inspectFile(file, ffmpeg, never)
  const tracks = await readTracks({ path: file, format: from }, ffmpeg, never)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const clip = { ...plainClip(), tracks, window: { start: 0, end: 0.4 }, format, outputPath, ffmpeg, ...extra }
  const { poster } = await cutClip(clip)
  return { outputPath, posterPath: poster?.path ?? '' }
}

/** Of the middle of the picture. */
async function colourAt(file: string): Promise<number[]> {
  const { width, height, rgb } = await pictureOf(file)
  const at = 3 * (Math.floor(height / 2) * width + Math.floor(width / 2))
  return [...rgb.subarray(at, at + 3)]
}

function expectSame(colour: readonly number[], expected: readonly number[]): void {
  for (const [index, value] of expected.entries())
    expect(Math.abs((colour[index] ?? -99) - value)).toBeLessThanOrEqual(6)
}

const picture = (aspect: string, fit: string, heightPixels: number | null = null) => ({
  picture: { aspect, fit, heightPixels },
})

it.each([
  ['as it is', {}, 'mp4'],
  ['as VP9', {}, 'webm'],
  ['smaller', picture('source', 'crop', 360), 'mp4'],
  ['cropped', picture('1:1', 'crop'), 'mp4'],
  ['between bars', picture('9:16', 'pad'), 'mp4'],
  ['before a blurred copy', picture('9:16', 'blur'), 'mp4'],
] as const)('a picture of red, green and blue keeps its red, with its matrix: %s', async (_how, extra, format) => {
  const { outputPath, posterPath } = await cut('red.mkv', extra, format)
  expect(await colourOf(outputPath)).toMatch(/^yuv420p,tv,bt709,/)
  expectSame(await colourAt(outputPath), red)
  expectSame(await colourAt(posterPath), red)
})

it.each(['red-animation.mov', 'red-png.mov', 'red-zlib.mkv', 'red-lossless.mkv', 'red-av1.mkv'] as const)(
  'so does %s',
  async (name) => {
    const { outputPath, posterPath } = await cut(name)
    expect(await colourOf(outputPath)).toMatch(/^yuv4\d\dp,tv,bt709,/)
    for (const file of [outputPath, posterPath]) expectSame(await colourAt(file), red)
  },
)

it.each(['red-hd.mp4', 'red-untagged.mp4'] as const)('the poster of %s has the red that players show', async (name) => {
  expect(await colourOf(await fixture(name))).toContain(name === 'red-hd.mp4' ? 'tv,bt709,' : 'tv,unknown,')
  expectSame(await colourAt((await cut(name)).posterPath), red)
})
