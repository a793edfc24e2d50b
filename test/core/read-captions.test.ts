import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CaptionsError, type Cue, readCaptions, subRip, webVtt } from '../../src/core/captions.ts'
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
        expect(readCaptions([...webVtt(cues)].join(''))).toEqual(
          cues.map((cue) => ({ ...cue, text: asWritten(cue.text) })),
        )
      }),
    )
  })

  it('are read from SubRip as they were written, but for the brackets of tags', () => {
    fc.assert(
      fc.property(captions, (cues) => {
        const text = (cue: Cue) => asWritten(cue.text).replaceAll('<', '‹').replaceAll('>', '›')
        expect(readCaptions([...subRip(cues)].join(''))).toEqual(cues.map((cue) => ({ ...cue, text: text(cue) })))
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
      samples: [webVtt(cues), subRip(cues)].map((parts) => Buffer.from([...parts].join(''))),
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
    ['don&#39;t &#x26;&#X1f600; &apos;stop&apos;', "don't &😀 'stop'"],
    ['a&#0;b&#xd800;c&#xDFFF;d&#x110000;e&#99999999999999999999;', 'abcde'],
    ['&#60;i&#62; &amp;#39; &#; &#x; &more;', '<i> &#39; &#; &#x; &more;'],
  ])('of WebVTT have the characters of entities: %s', (written, text) => {
    expect(readCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${written}`)).toEqual([{ start: 1, end: 2, text }])
    expect(readCaptions(`00:01.000 --> 00:02.000\n${written}`)).toEqual([{ start: 1, end: 2, text: written }])
  })

  describe('as programs write them', () => {
    const read = (text: string) => readCaptions(text).map(({ start, end, text }) => [start, end, text])
    const [one, two] = [
      [1, 3, 'red apples'],
      [3, 5, 'red apples\nfall'],
    ]

    it.each([
      [
        'rolling captions, which have times in the text and lines of one space',
        'WEBVTT\n\n00:00:01.000 --> 00:00:03.000 align:start position:0%\n \nred<00:00:01.400><c> apples</c>\n\n00:00:03.000 --> 00:00:05.000\nred apples\nfall\n',
      ],
      [
        'no blank line between captions',
        'WEBVTT\n00:01.000 --> 00:03.000\nred apples\n00:03.000 --> 00:05.000\nred apples\nfall',
      ],
      [
        'no blank line between numbered ones',
        '1\n00:00:01,000 --> 00:00:03,000\nred apples\n2\n00:00:03,000 --> 00:00:05,000\nred apples\nfall',
      ],
      [
        'blank lines in a caption',
        '1\n00:00:01,000 --> 00:00:03,000\n\nred apples\n\n2\n0:0:3,0 --> 0:0:5,0\nred apples\n\nfall\n\n\n',
      ],
      [
        'a blank line with spaces',
        '00:01,000 --> 00:03,000\nred apples\n  \n2\n00:03,000 --> 00:05,000\n\u00a0\nred apples\nfall',
      ],
      [
        'times without milliseconds or with microseconds',
        '00:00:01 --> 00:00:03\nred apples\n\n00:03.000001 --> 0:00:05.000000\nred apples\nfall',
      ],
      [
        'lines that end with CR',
        '\uFEFF1\r00:00:01.000 --> 00:00:03.000\rred apples\r\r2\r00:00:03.000 --> 00:00:05.000\rred apples\rfall\r',
      ],
      [
        'a blank line before the header, and joined segments',
        '\n\nWEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n00:01.000-->00:03.000line:0\nred apples\n\nWEBVTT\n\nNOTE a\nb\n\n00:03.000 --> 00:05.000\nred apples\nfall\n\nNOTE end',
      ],
      [
        'tags and positions',
        '1\n00:00:01,000 --> 00:00:03,000 X1:1 X2:2\n<s>red</s> <c.yellow>apples</c>\n\n2\n00:00:03,000 --> 00:00:05,000\n{\\an8}<i>red <00:03.500>apples</i>\nfall',
      ],
      [
        'a caption without a length',
        '00:01,000 --> 00:03,000\nred apples\n\n00:02,000 --> 00:02,000\nnever\n\n00:03,000 --> 00:05,000\nred apples\nfall',
      ],
    ])('are read: %s', (_, text) => {
      expect(read(text)).toEqual([one, two])
    })

    it('keep numbers and arrows that are said', () => {
      expect(read('00:01.000 --> 00:02.000\n42\n00:02.000 --> 00:03.000\na --> b\n43')).toEqual([
        [1, 2, '42'],
        [2, 3, 'a --> b\n43'],
      ])
    })

    it('are read within a second, at their largest', () => {
      const lines = Array.from({ length: 12_000 }, () => '1:1-->1:2\n1\n')
      const startedAt = performance.now()
      expect(readCaptions(lines.join(''))).toHaveLength(12_000)
      for (const unit of [' ', '\n', ' \n', '1\n', '1:1-->1:2\n', '1:', '\n1'])
        expect(() => readCaptions(`WEBVTT${unit.repeat(200_000 / unit.length)}`.slice(0, 200_000)).length).not.toBe(-1)
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    })
  })

  it.each([
    ['', 'there is no caption'],
    ['WEBVTT', 'there is no caption'],
    ['hello', 'line 1: expected times'],
    ['1\nxx --> yy\nhello', 'line 2: expected times'],
    ['1\n00:01,000 --> 00:02,000\na\n\n2\nb', 'line 6: expected times'],
    ['1\n00:00:01,000 --> 00:00:00,500\nx', 'line 2: the caption ends before it starts'],
    ['WEBVTT\n\n00:61.000 --> 00:62.000\nx', 'line 3: "00:61.000" is no time'],
    ['1\n00:00:1d,890 --> 00:00:02,000\nx', 'line 2: expected times'],
    ['00:00:01,000 --> 00:00:2d,890\nx', 'line 1: "00:00:2d,890" is no time'],
    [`1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(1_001)}`, 'more than 1000 characters'],
  ])('%j are refused, with the line', (text, problem) => {
    expect(() => readCaptions(text)).toThrow(problem)
  })
})
