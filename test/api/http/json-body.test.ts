import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../api/http/json-body.ts'

describe('parseJson', () => {
  it('parses the output of JSON.stringify', () => {
    const value = fc
      .jsonValue({ maxDepth: 5 })
      .filter((json) => !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(json)))
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json)
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses a repeated key in one object, however it is written', () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        const escaped = [...key].map((sign) =>
          [...Array(sign.length).keys()]
            .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
            .join(''),
        )
        expect(() => parseJson(`[{"a": {${JSON.stringify(key)}: 1, "${escaped.join('')}": 2}}]`)).toThrow(
          /twice|not allowed/,
        )
      }),
    )
  })

  it('accepts the same key in different objects and as a value', () => {
    const json = { a: { a: 'a' }, b: [{ a: 1 }, { a: 'b' }], c: '"a": "a":' }
    expect(parseJson(JSON.stringify(json))).toEqual(json)
  })

  it.each(['{"__proto__": {"x": 1}}', '{"a": [{"constructor": {}}]}', String.raw`{"__pr\u006fto__": 1}`])(
    'refuses %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(/not allowed/)
    },
  )

  it('refuses deep nesting without running out of stack', () => {
    expect(() => parseJson('['.repeat(100_000) + ']'.repeat(100_000))).toThrow(/32 levels/)
    expect(() => parseJson(`${'['.repeat(32)}${']'.repeat(32)}`)).not.toThrow()
  })

  it('refuses an object of more fields than any request needs, before they are compared with the known ones', () => {
    const fields = (count: number) =>
      JSON.stringify({ settings: Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, 0])) })
    expect(() => parseJson(fields(101))).toThrow('The body has an object of more than 100 fields.')
    expect(() => parseJson(fields(100))).not.toThrow()
  })

  it.each(['', '{', '{"a":}', '{a: 1}', 'NaN', '{"a": 1} {}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow('not valid JSON')
  })
})
