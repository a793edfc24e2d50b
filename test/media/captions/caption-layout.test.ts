import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captionPositions, captionStyles } from '../../../src/core/captions.ts'
import { readFont } from '../../../src/core/font-file.ts'
import { captionStrip, drawCaption } from '../../../src/media/captions/caption-layout.ts'
import { lookOf } from '../../setup/caption-look.ts'

const fonts = path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'))
const font = readFont(readFileSync(path.join(fonts, 'ttf', 'DejaVuSans-Bold.ttf')))

const pictures = fc.record({ width: fc.integer({ min: 1, max: 2_000 }), height: fc.integer({ min: 1, max: 2_000 }) })
const even = pictures.map(({ width, height }) => ({ width: width * 2, height: height * 2 }))

describe('the strip of captions', () => {
  it('lies in the picture, and all its sides and places are even', () => {
    fc.assert(
      fc.property(
        even,
        fc.constantFrom(...captionStyles),
        fc.constantFrom(...captionPositions),
        (picture, style, position) => {
          const { width, height, top } = captionStrip(picture, { ...lookOf(style), position })
          expect([width % 2, height % 2, top % 2]).toEqual([0, 0, 0])
          expect(height).toBeGreaterThan(0)
          expect(top).toBeGreaterThanOrEqual(0)
          expect(top + height).toBeLessThanOrEqual(picture.height)
        },
      ),
    )
  })
})

describe('a caption', () => {
  const lineIn = /<text x="[\d.]+" y="([\d.-]+)"[^<>]*>([^<>]*)<\/text>/g

  it('of any text is drawn inside the strip, and its text is never markup', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      '</text>',
      '<image href="x"/>',
      ']]>',
      ' ',
      '\n',
      '\u0000',
      '\u202e',
      'w',
      'Wide',
      'é',
      '日',
    )
    fc.assert(
      fc.property(
        even,
        fc.constantFrom(...captionStyles),
        fc.array(parts, { maxLength: 60 }),
        (picture, style, texts) => {
          const strip = captionStrip({ width: picture.width + 64, height: picture.height + 64 }, lookOf(style))
          const svg = drawCaption({ text: texts.join('') }, strip, font)
          const lines = [...svg.matchAll(lineIn)]
          // Nothing but the elements that are drawn.
          expect(
            svg
              .replaceAll(lineIn, '')
              .match(/<[^<>]*>/g)
              ?.filter((tag) => !/^<\/?(svg|g|rect)\b/.test(tag)),
          ).toEqual([])
          expect(svg.split('<').length - 1).toBe(4 + 2 * lines.length + (style === 'boxed' ? lines.length : 0))
          // XML allows no controls.
          expect(svg).not.toMatch(/\p{C}/u)
          for (const [, y] of lines) expect(Number(y)).toBeLessThanOrEqual(strip.height)
        },
      ),
    )
  })

  it('has lines that fit, in the order of its words', () => {
    const strip = captionStrip({ width: 608, height: 1080 }, lookOf('large'))
    const text = 'It was the best of times, it was the worst of times'
    const svg = drawCaption({ text }, strip, font)
    const lines = [...svg.matchAll(lineIn)].map(([, , line = '']) => line)
    expect(lines.join(' ')).toBe(text)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(font.widthOf(line) * strip.fontSize).toBeLessThan(608 * 0.9)
  })

  it('of endless words is laid out with a bounded number of measurements, in lines that the strip has room for', () => {
    let measured = 0
    const widthOf = (text: string) => {
      measured += text.length
      return font.widthOf(text)
    }
    const strip = captionStrip({ width: 1920, height: 1080 }, lookOf('boxed'))
    const svg = drawCaption({ text: '\u0710 '.repeat(36_000) }, strip, { ...font, widthOf })
    expect(measured).toBeLessThan(5_000)
    expect([...svg.matchAll(lineIn)].length).toBeLessThanOrEqual(20)
  })

  it('gives the word that is said another colour, or a box behind it', () => {
    const look = { ...lookOf('highlight'), colour: '#102030', highlightColour: '#0080FF' }
    const strip = captionStrip({ width: 1080, height: 1920 }, look)
    const text = 'one two two three'
    const svg = drawCaption({ text, spoken: 2 }, strip, font)
    expect(svg).toContain('>one two <tspan fill="rgb(0,128,255)">two</tspan> three</text>')
    expect(svg).toContain('fill="rgb(16,32,48)"')
    expect(drawCaption({ text }, strip, font)).not.toContain('tspan')
    const boxed = captionStrip({ width: 1080, height: 1920 }, { ...look, style: 'highlight_box' })
    const [, x, across] =
      /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(drawCaption({ text, spoken: 3 }, boxed, font)) ?? []
    const { fontSize } = boxed
    const right = 540 + (font.widthOf(text) * fontSize) / 2
    expect(Number(x) + Number(across)).toBeCloseTo(right + fontSize * 0.3, 1)
    expect(Number(across)).toBeCloseTo((font.widthOf('three') + 0.6) * fontSize, 1)
  })

  it.each([
    ['shorts', { top: 288, bottom: 1248, left: 48, right: 888 }],
    ['reels', { top: 268, bottom: 1248, left: 65, right: 1015 }],
    ['all', { top: 288, bottom: 1248, left: 120, right: 888 }],
  ] as const)('keeps to the safe area of %s in 9:16, in every style and place', (safeArea, area) => {
    const text = 'It was the best of times, it was the worst of times, it was the age of incomprehensibilities'
    for (const style of captionStyles)
      for (const position of captionPositions) {
        const strip = captionStrip({ width: 1080, height: 1920 }, { ...lookOf(style), position, safeArea })
        expect(strip.top).toBeGreaterThanOrEqual(area.top - 1)
        expect(strip.top + strip.height).toBeLessThanOrEqual(area.bottom + 1)
        const svg = drawCaption({ text }, strip, font)
        const size = Number(/font-size="([\d.]+)"/.exec(svg)?.[1])
        const lines = [...svg.matchAll(/<text x="([\d.]+)"[^<>]*>([^<>]*)<\/text>/g)]
        expect(lines.length).toBeGreaterThan(1)
        for (const [, x, line = ''] of lines) {
          const half = (font.widthOf(line) / 2 + 0.3) * size
          expect(Number(x) - half).toBeGreaterThanOrEqual(area.left - 1)
          expect(Number(x) + half).toBeLessThanOrEqual(area.right + 1)
        }
      }
  })

  it.each([
    { width: 1080, height: 1350 },
    { width: 1920, height: 1080 },
  ])('of another shape has no safe area: $width × $height', (picture) => {
    const { look: _, ...plain } = captionStrip(picture, lookOf('large'))
    expect(captionStrip(picture, { ...lookOf('large'), safeArea: 'all' })).toMatchObject(plain)
  })

  it('is in the middle of the picture, or at its top', () => {
    const picture = { width: 1080, height: 1920 }
    const lineOf = (position: 'bottom' | 'middle' | 'top') => {
      const strip = captionStrip(picture, { ...lookOf('large'), position })
      const [, y] = /y="([\d.]+)"/.exec(drawCaption({ text: 'one' }, strip, font)) ?? []
      return (strip.top + Number(y)) / picture.height
    }
    expect((['top', 'middle', 'bottom'] as const).map(lineOf)).toEqual([
      expect.closeTo(0.22, 1),
      expect.closeTo(0.51, 1),
      expect.closeTo(0.8, 1),
    ])
  })

  it('of a word that is too wide is written smaller', () => {
    const strip = captionStrip({ width: 1080, height: 1920 }, lookOf('large'))
    const svg = drawCaption({ text: 'Incomprehensibilities' }, strip, font)
    const size = Number(/font-size="([\d.]+)"/.exec(svg)?.[1])
    expect(size).toBeLessThan(strip.fontSize)
    expect(size).toBeGreaterThan(strip.fontSize / 2)
    expect([...svg.matchAll(lineIn)].map(([, , line]) => line)).toEqual(['Incomprehensibilities'])
  })

  /** A font whose characters are as wide as they are high. */
  const square = { has: () => true, widthOf: (text: string) => Array.from(text).length }

  it.each([
    ['Chinese', '今天天气很好，我们一起去公园散步，然后在湖边的小店里喝一杯热茶，等到太阳下山再慢慢地走回家去。', 0.8],
    ['Thai', 'วันนี้อากาศดีมากเราไปเดินเล่นที่สวนสาธารณะด้วยกันไหม', 0.7],
    ['a web address', 'https://www.example.com/a/very/long/path/to/some/page', 0.5],
    ['one endless word', 'W'.repeat(60), 0.4],
  ])('in %s has lines that fit, and is hardly smaller', (_what, text, leastShare) => {
    const strip = captionStrip({ width: 1080, height: 1920 }, lookOf('large'))
    const svg = drawCaption({ text }, strip, square)
    const size = Number(/font-size="([\d.]+)"/.exec(svg)?.[1])
    const lines = [...svg.matchAll(lineIn)].map(([, , line = '']) => line)
    expect(lines.join('')).toBe(text)
    expect(size).toBeGreaterThan(strip.fontSize * leastShare)
    for (const line of lines) {
      expect(square.widthOf(line) * size).toBeLessThanOrEqual(1080 * 0.9)
      expect(line).not.toMatch(/^[，。]/)
    }
  })

  it('breaks no character, and keeps the place of the word that is said', () => {
    const look = { ...lookOf('highlight'), highlightColour: '#0080FF' }
    const strip = captionStrip({ width: 1080, height: 1920 }, look)
    const families = '👨‍👩‍👧'.repeat(20)
    const lines = [...drawCaption({ text: families }, strip, square).matchAll(lineIn)].map(([, , line = '']) => line)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('')).toBe(families)
    for (const line of lines) expect(line).toMatch(/^(?:👨‍👩‍👧)+$/u)
    const said = drawCaption({ text: `one ${'今天天气很好'.repeat(3)} two`, spoken: 1 }, strip, square)
    const spans = [...said.matchAll(/<tspan[^<>]*>([^<>]*)<\/tspan>/g)].map(([, span]) => span)
    expect(spans.length).toBeGreaterThan(1)
    expect(spans.join('')).toBe('今天天气很好'.repeat(3))
    expect(said).toContain('>one <tspan')
    expect(said).toContain('</tspan> two</text>')
  })

  it.each([
    ['שלום לכם', 0, 'right'],
    ['שלום לכם', 1, 'left'],
    ['שלום OK', 0, 'right'],
    ['OK שלום', 0, 'left'],
    ['שלום OK then', 1, 'left'],
  ])('has the box of a word where it is written, in "%s" that of %i at the %s', (text, spoken, side) => {
    const strip = captionStrip({ width: 1080, height: 1920 }, lookOf('highlight_box'))
    const svg = drawCaption({ text, spoken }, strip, font)
    const [, x, across] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(svg) ?? []
    const half = (font.widthOf(text) / 2 + 0.3) * strip.fontSize
    expect(side === 'left' ? Number(x) : Number(x) + Number(across)).toBeCloseTo(
      540 + half * (side === 'left' ? -1 : 1),
      1,
    )
  })

  it('of any text keeps all of it that has room, within the frame', () => {
    const part = fc.constantFrom('今天', '天气', '，', '（', 'ไป', 'ที่', 'word', ' ', '👨‍👩‍👧', 'é', 'שלום')
    const strip = captionStrip({ width: 1080, height: 1920 }, lookOf('plain'))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('').replaceAll(/ +/g, ' ').trim()
        const svg = drawCaption({ text }, strip, square)
        const size = Number(/font-size="([\d.]+)"/.exec(svg)?.[1])
        const lines = [...svg.matchAll(lineIn)].map(([, , line = '']) => line.replaceAll(/[\u202B\u202C]/g, ''))
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
        for (const line of lines) expect(square.widthOf(line) * size).toBeLessThanOrEqual(1080 * 0.9)
      }),
    )
  })
})

describe('the font', () => {
  it('has the letters of many scripts, and knows what it lacks', () => {
    expect(Array.from('aéБΩאع€').every((each) => font.has(each.codePointAt(0) ?? 0))).toBe(true)
    const absent = Array.from('\u0000語\u0710\u{10FFFF}')
    expect(absent.some((each) => font.has(each.codePointAt(0) ?? 0))).toBe(false)
    expect(font.widthOf('WW')).toBeCloseTo(2 * font.widthOf('W'))
    expect(font.widthOf('i')).toBeLessThan(font.widthOf('W'))
  })
})
