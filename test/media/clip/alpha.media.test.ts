import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { placeCues, type ShownRange } from '../../../src/core/captions.ts'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import type { ModeInput } from '../../../src/media/copying/make-clip.ts'
import { writeStills } from '../../../src/media/frames/write-stills.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { lookOf } from '../../setup/caption-look.ts'
import { clipFile } from '../clip-file.ts'
import { never, opacityOf, pictureOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

type Asked = Partial<Pick<ModeInput, 'ranges' | 'picture' | 'captions'>> & { readonly format?: ClipFormat }

async function make(name: FixtureName, asked: Asked = {}) {
  return makeOf(await fixture(name), asked)
}

function makeOf(file: string, { ranges = [{ start: 0.4, end: 1.2 }], ...asked }: Asked = {}, mode: CutMode = 'exact') {
  return clipFile(mode, file, { ranges, ...asked })
}

/** A copy of H.265 with transparency, whose description of it is changed. */
async function changed(name: FixtureName, change: (configuration: Buffer) => void): Promise<string> {
  const bytes = await readFile(await fixture(name))
  change(bytes.subarray(bytes.indexOf('hvcC') + 4))
  const file = path.join(temporaryFolder(), 'changed.mov')
  await writeFile(file, bytes)
  return file
}

/** Apple's encoders end the extension of the first parameter set in a way that ffprobe cannot read: so does this bit of x265's. */
function asAppleWrites(configuration: Buffer) {
  const firstSet = 28
  configuration.writeUInt8(configuration.readUInt8(firstSet + 31) ^ 0x10, firstSet + 31)
}

/** Of "alpha channel information": alpha_channel_use_idc is 1. */
function asPremultiplied(configuration: Buffer) {
  configuration.writeUInt8(0x10, configuration.indexOf(Buffer.from([0x4e, 0x01, 0xa5, 4])) + 4)
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
  ['VP9 of high definition', 'alpha-1080.webm', {}, 'libvpx-vp9'],
  ['HEVC as WebM', 'alpha-hevc.mov', { format: 'webm' }, 'libvpx-vp9'],
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
  ['of HEVC', 'alpha-hevc.mov', {}],
  ['of HEVC, joined', 'alpha-hevc.mkv', joined],
  ['between bars', 'alpha.webm', { picture: { aspect: '1:1', fit: 'pad', heightPixels: null } }],
] as const)('elsewhere the picture is on black, and the receipt says so: %s', async (_how, name, asked) => {
  const { receipt, outputPath } = await make(name, asked)
  expect(receipt.substitutions).toContain(lost)
  expectOnBlack(await halvesOf(outputPath))
})

it('so is a picture with captions in it', async () => {
  const place = (shown: readonly ShownRange[]) => placeCues([{ start: 0, end: 6, text: 'A' }], shown)
  const { receipt, outputPath } = await make('alpha.webm', { captions: { look: lookOf('plain'), place } })
  expect(receipt.substitutions).toContain(lost)
  expectOnBlack(await halvesOf(outputPath))
})

it('HEVC as Apple writes it keeps transparency in WebM, and is on black elsewhere', async () => {
  const file = await changed('alpha-hevc.mov', asAppleWrites)
  const kept = await makeOf(file, { format: 'webm' })
  const [transparent, opaque] = await opacityOf(kept.outputPath, 'libvpx-vp9')
  expect(transparent).toBeLessThan(8)
  expect(opaque).toBeGreaterThan(247)
  const { receipt, outputPath } = await makeOf(file)
  expect(receipt).toMatchObject({ decodeErrors: 0, substitutions: expect.arrayContaining([lost]) })
  expectOnBlack(await halvesOf(outputPath))
})

it.each([
  ['smart', { mode: 'exact', fallbackReason: 'the picture is transparent' }],
  ['copy', { mode: 'copy', substitutions: [] }],
] as const)('%s never shows transparent HEVC beside opaque pictures', async (mode, expected) => {
  const { receipt } = await makeOf(await fixture('alpha-hevc.mov'), {}, mode)
  expect(receipt).toMatchObject(expected)
})

it.each([
  ['as they look on black', asPremultiplied, 128, 255],
  ['as they are', () => {}, 64, 128],
] as const)('colours of HEVC that are stored %s are shown so', async (_how, change, onBlack, seen) => {
  const file = await changed('alpha-hevc-shade.mov', change)
  const [red = 0] = await halvesOf((await makeOf(file)).outputPath)
  expect(Math.abs(red - onBlack)).toBeLessThan(8)
  const webm = await makeOf(file, { format: 'webm' })
  const [kept = 0] = await halvesOf(webm.outputPath)
  expect(Math.abs(kept - seen)).toBeLessThan(8)
  const [half] = await opacityOf(webm.outputPath, 'libvpx-vp9')
  expect(Math.abs(half - 128)).toBeLessThan(8)
})

it.each(['alpha.webm', 'alpha-png.mov', 'alpha-hevc.mov'] as const)('a still of %s is on black', async (name) => {
  const { tracks, outputPath } = await make(name)
  const still = path.join(path.dirname(outputPath), 'still.jpg')
  if (!tracks.video) throw new Error('no picture')
  await writeStills({ tracks, video: tracks.video, ffmpeg, signal: never, seconds: 1, stills: [{ path: still }] })
  expectOnBlack(await halvesOf(still))
})
