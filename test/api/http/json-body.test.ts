import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../api/http/json-body.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { survivesMangling } from '../../mangled-bytes.ts'

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

  it('refuses a key that is repeated after an object with the same key', () => {
    expect(() => parseJson('{"a": {"a": 1}, "b": [{"a": 2}], "a": 3}')).toThrow('The body has the key "a" twice.')
  })

  it.each(['{"__proto__": {"x": 1}}', '{"a": [{"constructor": {}}]}', String.raw`{"__pr\u006fto__": 1}`])(
    'refuses %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(/not allowed/)
    },
  )

  it('reads mangled JSON, or refuses it as a request that is not valid', async () => {
    const body = { endpoint: 'video/clip-window', settings: { ranges: [{ start: 1, end: '0:02' }], text: 'a "b" \n' } }
    await survivesMangling({
      samples: [Buffer.from(JSON.stringify(body)), Buffer.from(JSON.stringify(Array(40).fill(body), null, 2))],
      parse: (_, whole) => void parseJson(whole.toString()),
      isDeclared: (error) => error instanceof ServiceError && error.code === 'invalid_request',
    })
  })

  it('refuses deep nesting without running out of stack', () => {
    expect(() => parseJson('['.repeat(100_000) + ']'.repeat(100_000))).toThrow(/32 levels/)
    expect(() => parseJson(`${'['.repeat(32)}${']'.repeat(32)}`)).not.toThrow()
  })

  it('says that a text is not valid JSON rather than that a key is repeated', () => {
    expect(() => parseJson('{"a": 1, "a": 2')).toThrow('not valid JSON')
  })

  it.each(['', '{', '{"a":}', '{a: 1}', 'NaN', '{"a": 1} {}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow('not valid JSON')
  })
})
