import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OpenBrand } from '../../src/core/brand.ts'
import type { Picture } from '../../src/core/picture.ts'
import { receipt } from '../../src/endpoints/fields.ts'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { blockFont, endlessFont } from '../fixtures/block-font.ts'
import { astronaut, fixture } from '../fixtures/make.ts'
import { frameHashes, pictureOf, temporaryFolder } from '../media/measure.ts'
import { mediaTools } from '../setup/tools.ts'
import { runEndpoint } from './run-endpoint.ts'

const folder = temporaryFolder()

function written(name: string, bytes: Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

/** A picture of 200 × 100 pixels: green on the left, transparent on the right. */
async function logoFile(name: 'logo.png' | 'logo.webp'): Promise<string> {
  const file = path.join(folder, name)
  const drawn = 'color=#00ff00:s=100x100,format=rgba,pad=200:100:0:0:color=#00000000'
  const args = [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    drawn,
    '-frames:v',
    '1',
    ...(name === 'logo.webp' ? ['-lossless', '1'] : []),
  ]
  await promisify(execFile)(mediaTools.ffmpegPath, [...args, file])
  return file
}

const plain: OpenBrand = {
  ...{ id: 'brd_a', name: 'Talks', font: null, logo: null },
  look: {
    ...{ colour: null, highlightColour: null, boxColour: null, margins: null },
    ...{ logoCorner: 'top_right', logoWidth: 0.25 },
  },
}

const marginsOf = (all: number) => ({ top: all, bottom: all, left: all, right: all })

async function clipWith(brand: OpenBrand, settings: object = {}) {
  const { files, ...output } = await runEndpoint(clipWindowEndpoint, {
    ...{ file: await fixture('shots.mp4'), start: 0, end: 1, brands: { brd_a: brand }, mayWarn: true },
    settings: { quality: 'high', brand: 'brd_a', ...settings },
  })
  return { clip: files[0]?.path ?? '', ...output }
}

const caption = (text: string, captions: object = {}) => ({
  captions: { text: `WEBVTT\n\n00:00.000 --> 00:10.000\n${text}`, as: 'burn', style: 'large', ...captions },
})

type IsColour = (red: number, green: number, blue: number) => boolean

const isGreen: IsColour = (red, green, blue) => green > 180 && red < 90 && blue < 90
const isRed: IsColour = (red, green, blue) => red > 180 && green < 90 && blue < 90
const isBlue: IsColour = (red, green, blue) => blue > 150 && red < 90 && green < 90

/** Where pixels of a colour are, in parts of the picture, and how many of its pixels they are. */
function placeOf({ width, height, rgb }: Picture, isColour: IsColour) {
  let [count, left, right, top, bottom] = [0, width, 0, height, 0]
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(at * 3, at * 3 + 3)
    if (!isColour(red, green, blue)) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    count += 1
    ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)]
  }
  return { count, left: left / width, right: right / width, top: top / height, bottom: bottom / height }
}

describe('a clip with a brand', () => {
  it.each(['logo.png', 'logo.webp'] as const)(
    'has its %s in a corner of every frame, with what is transparent',
    async (name) => {
      const logo = { uploadId: 'upl_logo', path: await logoFile(name) }
      const { clip } = await clipWith({ ...plain, logo })
      const { width, height } = await pictureOf(clip)
      const margin = 0.04 * Math.min(width, height)
      for (const at of [0, 0.9]) {
        const green = placeOf(await pictureOf(clip, `trim=start=${at}`), isGreen)
        // The left half of a quarter of the width, at a margin from the upper right corner.
        expect(green.right - green.left).toBeCloseTo(0.125, 1)
        expect(green.right).toBeCloseTo(1 - margin / width - 0.125, 1)
        expect(green.top).toBeCloseTo(margin / height, 1)
        expect(green.count / (width * height)).toBeCloseTo((0.125 * 0.125 * width) / height, 2)
      }
    },
  )

  it('has it in the corner that the brand names, within its margins', async () => {
    const logo = { uploadId: 'upl_logo', path: await logoFile('logo.png') }
    const look = { ...plain.look, logoCorner: 'bottom_left' as const, margins: { ...marginsOf(0.1), bottom: 0.2 } }
    const { clip } = await clipWith({ ...plain, logo, look }, { aspect: '9:16', height: 640 })
    const green = placeOf(await pictureOf(clip), isGreen)
    expect(green.left).toBeCloseTo(0.1, 1)
    expect(green.bottom).toBeCloseTo(0.8, 1)
    const safe = await clipWith(
      { ...plain, logo, look },
      { aspect: '9:16', height: 640, ...caption('X', { safe_area: 'shorts' }) },
    )
    expect(placeOf(await pictureOf(safe.clip), isGreen).bottom).toBeCloseTo(1 - 672 / 1920, 1)
  })

  it('has its font and its colours in captions, unless the settings name others', async () => {
    const font = { uploadId: 'upl_font', path: written('font.ttf', blockFont()) }
    const look = { ...plain.look, colour: '#ff0000', boxColour: '#0000ff' }
    const redIn = async (brand: OpenBrand, captions: object = {}) =>
      placeOf(await pictureOf((await clipWith(brand, caption('WORD', captions))).clip), isRed)
    const [usual, own] = [await redIn({ ...plain, look }), await redIn({ ...plain, look, font })]
    expect(usual.count).toBeGreaterThan(200)
    expect(own.count).toBeGreaterThan(usual.count * 1.4)
    expect((await redIn({ ...plain, look, font }, { colour: '#ffffff' })).count).toBeLessThan(usual.count / 10)
    const { clip } = await clipWith({ ...plain, look, font }, caption('WORD', { style: 'boxed' }))
    expect(placeOf(await pictureOf(clip), isBlue).count).toBeGreaterThan(200)
  })

  it('keeps captions within its margins', async () => {
    const look = { ...plain.look, colour: '#ff0000', margins: { ...marginsOf(0.3), bottom: 0.4 } }
    const { clip } = await clipWith(
      { ...plain, look },
      caption('Many words that need several lines', { style: 'large' }),
    )
    const red = placeOf(await pictureOf(clip), isRed)
    expect(red.count).toBeGreaterThan(200)
    expect(red.left).toBeGreaterThan(0.29)
    expect(red.right).toBeLessThan(0.71)
    expect(red.bottom).toBeLessThan(0.61)
  })

  it('has them where ranges were removed, and around moments', async () => {
    const logo = { uploadId: 'upl_logo', path: await logoFile('logo.png') }
    const brands = { brd_a: { ...plain, logo, look: { ...plain.look, colour: '#ff0000' } } }
    const file = await fixture('shots.mp4')
    const more = { quality: 'fast', brand: 'brd_a', ...caption('WORD') }
    const ranges = [
      { start: 0.13, end: 1.08 },
      { start: 5.27, end: 5.91 },
    ]
    const made = [
      await runEndpoint(clipWindowEndpoint, { file, brands, settings: { ranges, ...more } }),
      await runEndpoint(clipNearEndpoint, {
        ...{ file, start: 3, brands, mayWarn: true },
        settings: { before_seconds: 0.5, after_seconds: 0.5, snap: 'none', ...more },
      }),
    ]
    for (const { files } of made)
      for (const at of [0, 0.8]) {
        const picture = await pictureOf(files[0]?.path ?? '', `trim=start=${at}`)
        expect([placeOf(picture, isGreen).count > 100, placeOf(picture, isRed).count > 100]).toEqual([true, true])
      }
  })

  it('of colours alone, without captions, is as it would be without, and its receipt names the brand', async () => {
    const without = await clipWith(plain, { brand: undefined })
    const { clip, result } = await clipWith({ ...plain, look: { ...plain.look, colour: '#ff0000' } })
    expect(await frameHashes(clip)).toEqual(await frameHashes(without.clip))
    expect([result, without.result].map((each) => z.object({ receipt }).parse(each).receipt.brand)).toEqual([
      { id: 'brd_a', name: 'Talks' },
      undefined,
    ])
  })

  it('warns of characters that neither its font nor the usual one has', async () => {
    const font = { uploadId: 'upl_font', path: written('font.ttf', blockFont()) }
    expect((await clipWith({ ...plain, font }, caption('word'))).warnings).toEqual([])
    expect((await clipWith({ ...plain, font }, caption('最'))).warnings?.[0]).toMatch(/lacks some of their characters/)
  })

  it('fails, and names the file, if one of them cannot be read', async () => {
    const font = (bytes: Buffer) => ({ uploadId: 'upl_font', path: written('bad.ttf', bytes) })
    const logo = (bytes: Buffer) => ({ uploadId: 'upl_logo', path: written('bad.png', bytes) })
    for (const bytes of [blockFont().subarray(0, 300), endlessFont()])
      await expect(clipWith({ ...plain, font: font(bytes) }, caption('WORD'))).rejects.toMatchObject({
        code: 'processing_failed',
        message: expect.stringMatching(/^The font of the brand cannot be drawn/),
      })
    await expect(clipWith({ ...plain, logo: logo(Buffer.from('<svg/>')) })).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: expect.stringMatching(/^The logo of the brand, upl_logo: .*neither JPEG, PNG nor WebP/),
    })
    await expect(
      clipWith({ ...plain, logo: logo(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')) }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/^The logo of the brand, upl_logo: /) })
    const photo = { uploadId: 'upl_logo', path: astronaut }
    expect((await clipWith({ ...plain, logo: photo })).clip).not.toBe('')
  })

  it('is encoded: it needs a picture, and the mode exact', () => {
    const refusal = (more: object) =>
      clipWindowEndpoint.validate({ startSeconds: 0, endSeconds: 1 }, { brand: 'brd_a', ...more })
    expect(refusal({})).toBeUndefined()
    expect(refusal({ mode: 'smart' })).toMatch(/settings\.brand needs "mode": "exact"/)
    expect(refusal({ audio_only: true })).toMatch(/settings\.brand needs a picture/)
    expect(refusal({ format: 'mp3' })).toMatch(/settings\.brand needs a picture, which mp3 cannot hold/)
    expect(clipWindowEndpoint.needsPictureFor({ brand: 'brd_a' })).toBe('settings.brand')
    expect(clipWindowEndpoint.takesLonger({ brand: 'brd_a' })).toBe(true)
  })
})
