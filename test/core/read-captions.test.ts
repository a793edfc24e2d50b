import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cue, subRip, webVtt } from '../../src/core/captions.ts'
import { CaptionsError, readCaptions } from '../../src/core/read-captions.ts'
import { survivesMangling } from '../mangled-bytes.ts'

const milliseconds = fc.integer({ min: 0, max: 99 * 3_600_000 })

/** Captions in order, whose texts have what markup is made of. */
const captions = fc
  .array(
    fc.record({
      start: milliseconds,
      length: fc.integer({ min: 1, max: 20_000 }),
      text: fc.string({
        unit: fc.constantFrom('a', 'é', '日', ' ', '&', '<', '>', '-', '\n', '"', '1'),
        maxLength: 40,
      }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((all) =>
    all
      .map(({ start, length, text }): Cue => ({ start: start / 1000, end: (start + length) / 1000, text }))
      .toSorted((a, b) => a.start - b.start),
  )

const asWritten = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

describe('captions as text', () => {
  it('are read from WebVTT as they were written', () => {
    fc.assert(
      fc.property(captions, (cues) => {
        expect(readCaptions(webVtt(cues))).toEqual(cues.map((cue) => ({ ...cue, text: asWritten(cue.text) })))
      }),
    )
  })

  it('are read from SubRip as they were written, but for the brackets of tags', () => {
    fc.assert(
      fc.property(captions, (cues) => {
        const text = (cue: Cue) => asWritten(cue.text).replaceAll('<', '‹').replaceAll('>', '›')
        expect(readCaptions(subRip(cues))).toEqual(cues.map((cue) => ({ ...cue, text: text(cue) })))
      }),
    )
  })

  it('of any kind are read or refused, within a second', () => {
    const piece = fc.constantFrom(
      'WEBVTT',
      '\n',
      '\r\n',
      '00:00:01,000',
      ' --> ',
      '00:01.500',
      '<',
      '>',
      '{\\',
      '&amp',
      '1',
      'x',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          for (const { start, end } of readCaptions(pieces.join(''))) expect(end).toBeGreaterThan(start)
        } catch (error) {
          expect(error).toBeInstanceOf(CaptionsError)
        }
      }),
    )
    const startedAt = performance.now()
    for (const unit of ['<', '{\\', '&', '-->', '00:00:01,000 --> ', '<b '])
      expect(() => readCaptions(`00:01.000 --> 00:02.000\n${unit.repeat(100_000)}`)).toThrow(CaptionsError)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  it('that are mangled are read or refused soon', async () => {
    const cues = Array.from(
      { length: 30 },
      (_, at): Cue => ({ start: at, end: at + 0.9, text: `- <i>${at}</i> & more` }),
    )
    await survivesMangling({
      samples: [Buffer.from(webVtt(cues)), Buffer.from(subRip(cues))],
      parse: (_, whole) => readCaptions(whole.toString()).length,
      isDeclared: (error) => error instanceof CaptionsError,
    })
  })

  it('may have a byte order mark, names, notes, styles, settings and markup', () => {
    const text = [
      '\uFEFFWEBVTT - talk\r\nKind: captions\r\n\r\nNOTE spoken\r\nby two\r\n\r\nSTYLE\r\n::cue { color: red }\r\n',
      'first\r\n00:01.000 --> 00:02.000 line:0 align:start\r\n<v Ann>It was <i>the</i> best &amp; <c.loud>worst</c></v>\r\n',
    ].join('\r\n')
    expect(readCaptions(text)).toEqual([{ start: 1, end: 2, text: 'It was the best & worst' }])
    expect(readCaptions('7\n1:00:00,500 --> 1:00:01,000\n<font color="red">a</font> < b\n{\\an8}c')).toEqual([
      { start: 3600.5, end: 3601, text: 'a < b\nc' },
    ])
  })

  it.each([
    ['', 'there is no caption'],
    ['WEBVTT', 'there is no caption'],
    ['hello', 'line 2: expected times'],
    ['1\n00:00:01,000 --> 00:00:00,500\nx', 'line 2: the caption ends before it starts'],
    ['WEBVTT\n\n00:61.000 --> 00:62.000\nx', 'line 3: "00:61.000" is no time'],
    ['1\n00:00:01 --> 00:00:02\nx', 'line 2: "00:00:01" is no time'],
    [`1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(1_001)}`, 'more than 1000 characters'],
  ])('%j are refused, with the line', (text, problem) => {
    expect(() => readCaptions(text)).toThrow(problem)
  })
})
