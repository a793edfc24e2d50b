import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentDisposition } from '../../src/core/content-disposition.ts'

describe('contentDisposition', () => {
  it.each([
    ['clip.mp4', `inline; filename="clip.mp4"; filename*=UTF-8''clip.mp4`],
    ['my clip.mp4', `inline; filename="my clip.mp4"; filename*=UTF-8''my%20clip.mp4`],
    ['naïve "x".mp4', `inline; filename="na_ve _x_.mp4"; filename*=UTF-8''na%C3%AFve%20%22x%22.mp4`],
    ["a'(b)*.mp4", `inline; filename="a'(b)*.mp4"; filename*=UTF-8''a%27%28b%29%2A.mp4`],
    ['a\r\nb: c', `inline; filename="a__b: c"; filename*=UTF-8''a__b%3A%20c`],
  ])('names %j', (name, expected) => {
    expect(contentDisposition('inline', name)).toBe(expected)
  })

  it('is one header value for any name, and carries well-formed names unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const value = contentDisposition('attachment', name)
        const [, ascii, encoded = ''] =
          /^attachment; filename="([ !#-[\]-~]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(value) ?? []
        expect(ascii).toBeDefined()
        expect(decodeURIComponent(encoded)).toBe(name.replace(/\p{Cc}/gu, '_'))
      }),
    )
  })

  it('takes half a surrogate pair', () => {
    expect(contentDisposition('inline', '\ud800')).toBe(`inline; filename="_"; filename*=UTF-8''%EF%BF%BD`)
  })
})
