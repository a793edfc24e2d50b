import path from 'node:path'
import { expect, it } from 'vitest'
import { placeCues, type ShownRange } from '../../../src/core/captions.ts'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { ModeInput } from '../../../src/media/copying/make-clip.ts'
import { writeStills } from '../../../src/media/frames/write-stills.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { clipFile } from '../clip-file.ts'
import { never, opacityOf, pictureOf, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

type Asked = Partial<Pick<ModeInput, 'ranges' | 'picture' | 'captions'>> & { readonly format?: ClipFormat }

async function make(name: FixtureName, { ranges = [{ start: 0.4, end: 1.2 }], ...asked }: Asked = {}) {
  return clipFile('exact', await fixture(name), { ranges, ...asked })
}

/** Of the transparent half and of the opaque one. */
async function halvesOf(file: string) {
  const { width, height, rgb } = await pictureOf(file, 'format=rgb24')
  const redAt = (across: number) => rgb[3 * (Math.floor(height / 2) * width + Math.floor(across * width))] ?? -1
  return [redAt(0.25), redAt(0.75)]
}

function expectOnBlack([transparent = -1, opaque = -1]: readonly number[]) {
  expect(transparent).toBeLessThan(16)
  expect(opaque).toBeGreaterThan(220)
}

const joined = {
  ranges: [
    { start: 0, end: 0.4 },
    { start: 0.8, end: 1.6 },
  ],
}
const squares = { picture: { aspect: '1:1', fit: 'crop', heightPixels: 64 } } as const
const lost = 'transparency -> black'

it.each([
  ['VP9', 'alpha.webm', {}, 'libvpx-vp9'],
  ['VP8', 'alpha-vp8.webm', {}, 'libvpx-vp9'],
  ['VP9, joined', 'alpha.webm', joined, 'libvpx-vp9'],
  ['VP9, cropped and smaller', 'alpha.webm', squares, 'libvpx-vp9'],
  ['ProRes 4444 as WebM', 'alpha-prores.mov', { format: 'webm' }, 'libvpx-vp9'],
  ['QuickTime Animation as WebM', 'alpha-animation.mov', { format: 'webm' }, 'libvpx-vp9'],
] as const)('a WebM clip keeps transparency, and its poster is on black: %s', async (_how, name, asked, decoder) => {
  const { receipt, outputPath, poster } = await make(name, asked)
  expect(receipt.substitutions).not.toContain(lost)
  expect(receipt.framesEncoded).toBe('ranges' in asked ? 30 : 20)
  const [transparent, opaque] = await opacityOf(outputPath, decoder)
  expect(transparent).toBeLessThan(8)
  expect(opaque).toBeGreaterThan(247)
  expectOnBlack(await halvesOf(poster?.path ?? ''))
})

it.each([
  ['as H.264', 'alpha.webm', { format: 'mp4' }],
  ['as H.264, joined', 'alpha-vp8.webm', { format: 'mp4', ...joined }],
  ['of ProRes 4444', 'alpha-prores.mov', {}],
  ['of QuickTime Animation', 'alpha-animation.mov', {}],
  ['of PNG', 'alpha-png.mov', {}],
  ['between bars', 'alpha.webm', { picture: { aspect: '1:1', fit: 'pad', heightPixels: null } }],
] as const)('elsewhere the picture is on black, and the receipt says so: %s', async (_how, name, asked) => {
  const { receipt, outputPath } = await make(name, asked)
  expect(receipt.substitutions).toContain(lost)
  expectOnBlack(await halvesOf(outputPath))
})

it('so is a picture with captions in it', async () => {
  const place = (shown: readonly ShownRange[]) => placeCues([{ start: 0, end: 6, text: 'A' }], shown)
  const { receipt, outputPath } = await make('alpha.webm', { captions: { style: 'plain', place } })
  expect(receipt.substitutions).toContain(lost)
  expectOnBlack(await halvesOf(outputPath))
})

it.each(['alpha.webm', 'alpha-png.mov'] as const)('a still of %s is on black', async (name) => {
  const { tracks, outputPath } = await make(name)
  const still = path.join(path.dirname(outputPath), 'still.jpg')
  if (!tracks.video) throw new Error('no picture')
  await writeStills({ tracks, video: tracks.video, ffmpeg, signal: never, seconds: 1, stills: [{ path: still }] })
  expectOnBlack(await halvesOf(still))
})
