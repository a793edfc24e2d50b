import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Font, FontError, readFont, withFallback } from '../../src/core/font-file.ts'
import { blockFont, segmentMap } from '../fixtures/block-font.ts'
import { survivesMangling } from '../mangled-bytes.ts'

const fonts = path.join(path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const dejaVu = readFileSync(path.join(fonts, 'DejaVuSerif.ttf'))

/** Where a table of the font begins. */
function placeOf(font: Buffer, tag: string): number {
  const record = font.indexOf(tag, 12, 'latin1')
  return font.readUInt32BE(record + 8)
}

function changed(font: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(font)
  change(copy)
  return copy
}

describe('a font', () => {
  it('is read in both formats of its map of characters', () => {
    const [grouped, listed] = [readFont(blockFont()), readFont(blockFont(segmentMap))]
    for (const font of [grouped, listed]) {
      expect(font.letters).toBe('ABCDEFGH')
      expect([font.has(0x41), font.has(0x5a), font.has(0x40), font.has(0x5b), font.has(0x1f600)]).toEqual([
        true,
        true,
        false,
        false,
        false,
      ])
      expect(font.widthOf('AZ')).toBe(2)
    }
  })

  it('has the same characters and widths in the formats of a real font', () => {
    const grouped = readFont(dejaVu)
    const cmap = placeOf(dejaVu, 'cmap')
    const subtables = Array.from({ length: dejaVu.readUInt16BE(cmap + 2) }, (_, index) => {
      return cmap + dejaVu.readUInt32BE(cmap + 8 + index * 8)
    })
    const listed = readFont(
      changed(dejaVu, (copy) => {
        for (const at of subtables) if (copy.readUInt16BE(at) === 12) copy.writeUInt16BE(13, at)
      }),
    )
    const characters = Array.from({ length: 0xd800 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index))
    const described = (font: Font) => characters.map((each) => (font.has(each.charCodeAt(0)) ? font.widthOf(each) : 0))
    expect(described(listed)).toEqual(described(grouped))
  })

  it('is helped out by another one', () => {
    const [blocks, serif] = [readFont(blockFont()), readFont(dejaVu)]
    const both = withFallback(blocks, serif)
    expect([both.has(0x41), both.has(0x61), both.has(0x6700)]).toEqual([true, true, false])
    expect(both.widthOf('Aa')).toBeCloseTo(1 + serif.widthOf('a'), 9)
  })

  it.each([
    ['of a collection', () => changed(dejaVu, (copy) => copy.write('ttcf')), /a collection of fonts/],
    ['in WOFF2', () => changed(dejaVu, (copy) => copy.write('wOF2')), /WOFF2. Convert it/],
    ['that is a picture', () => Buffer.from('89504e470d0a1a0a', 'hex'), /neither TTF nor OTF/],
    ['that is empty', () => Buffer.alloc(0), /neither TTF nor OTF/],
    ['that is cut', () => dejaVu.subarray(0, 100_000), /is cut/],
    ['of too many tables', () => changed(dejaVu, (copy) => copy.writeUInt16BE(0xffff, 4)), /more than 100 tables/],
    ['with a table behind its end', () => changed(dejaVu, (copy) => copy.writeUInt32BE(0xfffffff0, 20)), /is cut/],
    ['with a giant table', () => changed(dejaVu, (copy) => copy.writeUInt32BE(0xffffffff, 24)), /is cut/],
    ['without a width', () => changed(dejaVu, (copy) => copy.writeUInt16BE(0, placeOf(copy, 'hhea') + 34)), /no width/],
    [
      'with more widths than characters',
      () => changed(dejaVu, (copy) => copy.writeUInt16BE(0xffff, placeOf(copy, 'hhea') + 34)),
      /no width/,
    ],
    [
      'of a size of nothing',
      () => changed(dejaVu, (copy) => copy.writeUInt16BE(0, placeOf(copy, 'head') + 18)),
      /head of the font is damaged/,
    ],
    [
      'of a billion groups',
      () => changed(blockFont(), (copy) => copy.writeUInt32BE(0x3fffffff, placeOf(copy, 'cmap') + 24)),
      /too many characters/,
    ],
    [
      'whose groups overlap',
      () => changed(blockFont(), (copy) => copy.writeUInt32BE(0x10ffff, placeOf(copy, 'cmap') + 32)),
      /not in order/,
    ],
    [
      'without a name',
      () => changed(blockFont(), (copy) => copy.writeUInt16BE(0, placeOf(copy, 'name') + 2)),
      /no name/,
    ],
  ])('%s is refused', (_what, font, message) => {
    expect(() => readFont(font())).toThrow(FontError)
    expect(() => readFont(font())).toThrow(message)
  })

  it('of any bytes is read or refused soon', async () => {
    await survivesMangling({
      samples: [blockFont(), blockFont(segmentMap)],
      parse: (_chunks, bytes) => {
        const { letters, widthOf, has } = readFont(bytes)
        expect(widthOf(`${letters} \u{1f600}`)).toBeGreaterThanOrEqual(0)
        expect(has(letters.codePointAt(0) ?? 0)).toBe(true)
      },
      isDeclared: (error) => error instanceof FontError,
    })
  })
})
