import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { captionStrip } from '../../../src/media/captions/caption-layout.ts'
import { type OwnFont, ownFont, startCaptionPainter } from '../../../src/media/captions/caption-painter.ts'
import { blockFont, endlessFont } from '../../fixtures/block-font.ts'
import { lookOf } from '../../setup/caption-look.ts'
import { never, temporaryFolder } from '../measure.ts'

const strip = captionStrip({ width: 640, height: 360 }, lookOf('plain'))

/** How much white there is. */
async function painted(text: string, font?: Buffer): Promise<number> {
  return paintIn(font && fileOf(font), text)
}

function fileOf(font: Buffer): OwnFont {
  const file = path.join(temporaryFolder(), 'font')
  writeFileSync(file, font)
  return ownFont(file)
}

async function paintIn(font: OwnFont | undefined, text: string): Promise<number> {
  const rgba = await picture(text, font)
  return rgba.filter((_, at) => isWhite(rgba, at)).length
}

function isWhite(rgba: Uint8Array, at: number): boolean {
  return at % 4 === 0 && (rgba[at] ?? 0) > 200 && (rgba[at + 3] ?? 0) > 200
}

async function picture(text: string, font?: OwnFont): Promise<Uint8Array> {
  const painter = startCaptionPainter(strip, never, font)
  try {
    return await painter.paint({ text })
  } finally {
    await painter.close()
  }
}

/** How much white is in the left half of the text, and how much in the right one. */
async function halves(text: string): Promise<[number, number]> {
  const rgba = await picture(text)
  const columns = Array.from(rgba.keys())
    .filter((at) => isWhite(rgba, at))
    .map((at) => (at / 4) % strip.width)
    .toSorted((a, b) => a - b)
  const middle = ((columns[0] ?? 0) + (columns.at(-1) ?? 0)) / 2
  const left = columns.filter((column) => column < middle).length
  return [left, columns.length - left]
}

describe('captions that are read from right to left', () => {
  it('begin at the right, and end with their dots at the left', async () => {
    const [left, right] = await halves('שש......')
    expect(left).toBeLessThan(right / 2)
    const [letters, dots] = await halves('WW......')
    expect(dots).toBeLessThan(letters / 2)
  })

  it('have words of other scripts in their order, and are such words in others', async () => {
    expect(Buffer.from(await picture('שש OK')).equals(await picture('OK שש'))).toBe(true)
    expect(Buffer.from(await picture('שש OK')).equals(await picture('OK ששש'))).toBe(false)
  })
})

/** Its names are on a platform that is not read. */
function unreadableFont(): Buffer {
  const font = blockFont()
  const names = font.readUInt32BE(font.indexOf('name', 12, 'latin1') + 8)
  for (const index of [0, 1]) font.writeUInt16BE(2, names + 6 + index * 12)
  return font
}

describe("captions in a font of the caller's", () => {
  it('are drawn in it, and in the usual one where it lacks a character', async () => {
    const [usual, own] = [await painted('WORD'), await painted('WORD', blockFont())]
    expect(own).toBeGreaterThan(usual * 1.5)
    expect(await painted('word', blockFont())).toBe(await painted('word'))
  })

  it('fail when all captions of a job took too long, and not one of them', async () => {
    const font = fileOf(blockFont())
    const atFirst = font.secondsLeft
    await paintIn(font, 'WORD')
    const afterOne = font.secondsLeft
    await paintIn(font, 'WORD')
    expect([afterOne < atFirst, font.secondsLeft < afterOne]).toEqual([true, true])
    font.secondsLeft = 0
    await expect(paintIn(font, 'WORD')).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringMatching(/^The font of the brand is too complex.*Give the brand another one/),
      retryable: false,
    })
  })

  it.each([
    ['is cut', () => blockFont().subarray(0, 300), { name: 'FontError' }],
    ['is one that the renderer skips', unreadableFont, { name: 'FontError' }],
    ['draws letters without end, as soon as the memory is used up', endlessFont, { name: 'RuntimeError' }],
  ])('fail if it %s', async (_what, font, cause) => {
    await expect(painted('WORD', font())).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringMatching(/font of the brand cannot be drawn/),
      retryable: false,
      cause: expect.objectContaining(cause),
    })
  })
})
