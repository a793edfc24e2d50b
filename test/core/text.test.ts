import { expect, it } from 'vitest'
import { escapeMarkup, isPostgresText } from '../../src/core/text.ts'

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
