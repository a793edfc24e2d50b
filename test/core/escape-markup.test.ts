import { expect, it } from 'vitest'
import { escapeMarkup } from '../../src/core/escape-markup.ts'

it('leaves no character that ends a text or a quoted attribute', () => {
  expect(escapeMarkup('<a title="b & c">')).toBe('&lt;a title=&quot;b &amp; c&quot;&gt;')
})
