import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  counted,
  describeBytes,
  describeExcess,
  escapeMarkup,
  isPostgresText,
  normalForm,
  quoted,
  quotedList,
  readableJson,
  removeHidden,
  showHidden,
} from '../../src/core/text.ts'

it('counts with the noun in its number', () => {
  expect([
    counted(0, 'job'),
    counted(1, 'job'),
    counted(2, 'job'),
    counted(1, 'entry', 'entries'),
    counted(3, 'entry', 'entries'),
  ]).toEqual(['0 jobs', '1 job', '2 jobs', '1 entry', '3 entries'])
})

it('normalizes ten marks of a letter, however many follow', () => {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
    const endless = `e${'\u0301\u0316'.repeat(50_000)}`
    expect(normalForm(endless, form)).toBe(endless.slice(0, 11).normalize(form))
    expect(normalForm(`${endless}x${endless}`, form)).toHaveLength(2 * endless.slice(0, 11).normalize(form).length + 1)
    for (const text of ['Größe', 'क्षि', 'ﾊﾞﾊﾟ', 'e\u0301\u0323\u0302', '한국어', '日本語'])
      expect(normalForm(text, form)).toBe(text.normalize(form))
  }
  // Halfwidth sound marks become combining marks.
  expect(normalForm('\uFF76\uFF9E\u0301'.repeat(10), 'NFKD')).toHaveLength(30)
  expect(normalForm(`\uFF76${'\uFF9E\u0301'.repeat(50_000)}`, 'NFKD')).toHaveLength(11)
})

it('leaves no character that ends a text or a quoted attribute', () => {
  expect(escapeMarkup('<a title="b & c">')).toBe('&lt;a title=&quot;b &amp; c&quot;&gt;')
})

const isStored = (document: unknown) => isPostgresText(JSON.stringify(document))

it('refuses texts that PostgreSQL cannot store, and accepts similar ones', () => {
  for (const text of ['\u0000', 'a\ud83d', '\udc00\ud83d', '\\\u0000']) {
    expect([text, isStored({ deep: [text] }), isStored({ [text]: 1 })]).toEqual([text, false, false])
  }
  for (const text of ['\\u0000', '\\\\ud83d', '😀', '\u0001', ''])
    expect([text, isStored([text])]).toEqual([text, true])
})

/** The characters that carry the name of a flag, and its end. */
function tags(flag: string): string {
  const letters = Array.from(flag, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  return `${letters.join('')}\u{E007F}`
}

it.each([
  ['a line break', 'a\nb.mp4', '"a\\nb.mp4"'],
  ['colors of a terminal', '\u001b[31mred.mp4', String.raw`"\u001b[31mred.mp4"`],
  ['a C1 control', 'a\u009bb', String.raw`"a\u{9b}b"`],
  ['a change of direction', 'gpj.\u202e4pm', String.raw`"gpj.\u{202e}4pm"`],
  ['invisible letters', 'a\u{e0041}\u200b', String.raw`"a\u{e0041}\u{200b}"`],
  ['hidden variations', 'a\u{e0100}', String.raw`"a\u{e0100}"`],
  ['joiners between letters', 'a\u200Db🎙\u200D', String.raw`"a\u{200d}b🎙\u{200d}"`],
  ['a line separator', 'a\u2028b', String.raw`"a\u{2028}b"`],
  ['a quote', 'a" and more', String.raw`"a\" and more"`],
  ['two joiners', 'م\u200C\u200Dم', String.raw`"م\u{200c}\u{200d}م"`],
  ['a joiner beside another script', 'م\u200Ca\u200Cم\u200C', String.raw`"م\u{200c}a\u{200c}م\u{200c}"`],
  [
    'tags that are no flag',
    `🏴${tags('gbzzz')}`,
    String.raw`"🏴\u{e0067}\u{e0062}\u{e007a}\u{e007a}\u{e007a}\u{e007f}"`,
  ],
  ['tags behind a flag', `🏴${tags('gbeng')}\u{e0061}`, `"🏴${tags('gbeng')}${String.raw`\u{e0061}"`}`],
  ['nothing special', 'Größe – 日本語 😀 👨‍👩‍👧.mp4', '"Größe – 日本語 😀 👨‍👩‍👧.mp4"'],
])('quotes a name with %s so that nothing is hidden', (_what, name, shown) => {
  expect(quoted(name)).toBe(shown)
  expect(showHidden(shown)).toBe(shown)
})

it('keeps the joiners with which languages spell, and the tags of flags', () => {
  const persian = 'می\u200Cخواهم'
  for (const text of [
    persian,
    'ශ්\u200Dරී',
    'क्\u200Dष',
    'র\u200D্য',
    ...['gbeng', 'gbsct', 'gbwls'].map((flag) => `🏴${tags(flag)}`),
  ])
    expect([text, removeHidden(`\u200B${text}\u200D`), showHidden(text)]).toEqual([text, text, text])
  expect(removeHidden('a\u200Cb\u200D')).toBe('ab')
})

it('leaves nothing hidden but single joiners between letters or emoji, and hides nothing a second time', () => {
  const part = fc.constantFrom(
    'م',
    'ی',
    'क',
    '\u094D',
    'a',
    ' ',
    '🏴',
    '\u200C',
    '\u200D',
    '\u202E',
    '\u200B',
    ...tags('gbeng'),
    tags('gbeng'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = removeHidden(parts.join(''))
      expect(removeHidden(text)).toBe(text)
      const visible = text
        .replaceAll(/(?<=م|ی|क|\u094D)[\u200C\u200D](?=م|ی|क|\u094D)|(?<=🏴)\u200D(?=🏴)/gu, '')
        .replaceAll(`🏴${tags('gbeng')}`, '')
      expect(visible).not.toMatch(/\p{C}/u)
    }),
    { examples: [[['🏴', '\u200D', '🏴']]] },
  )
})

it('writes JSON in which nothing is hidden, and which says the same', () => {
  const name = 'a\u009b31m\u202eb\u{e0041}\u2028\n日本語 😀'
  const json = readableJson({ [name]: [name] })
  expect(json.split('\n')).toEqual([
    '{',
    String.raw`  "a\u009b31m\u202eb\udb40\udc41\u2028\n日本語 😀": [`,
    String.raw`    "a\u009b31m\u202eb\udb40\udc41\u2028\n日本語 😀"`,
    '  ]',
    '}',
  ])
  expect(JSON.parse(json)).toEqual({ [name]: [name] })
})

it('keeps the line breaks of a text', () => {
  expect(showHidden('one\ntwo\u0007')).toBe('one\ntwo\\u{7}')
})

it('writes sizes as people read them, and never two equal ones', () => {
  expect([0, 1, 1023, 1536, 5 * 1024 ** 3, 6.1 * 1024 ** 3].map(describeBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1.5 KiB',
    '5 GiB',
    '6.1 GiB',
  ])
  expect(describeExcess('The file', 6.1 * 1024 ** 3, 5 * 1024 ** 3)).toBe(
    'The file has 6.1 GiB, and the limit is 5 GiB.',
  )
  expect(describeExcess('The file', 5_000_001, 5_000_000)).toBe(
    'The file has 5000001 bytes, and the limit is 5000000 bytes.',
  )
})

it('lists the first texts in quotes, and cuts no letter in two', () => {
  expect(quotedList(['one', 'two', 'three'], { maxListed: 2, maxLength: 60 })).toBe('"one", "two", and 1 more')
  expect(quotedList(['💥💥💥'], { maxListed: 5, maxLength: 2 })).toBe('"💥💥…"')
})
