import { describe, expect, it } from 'vitest'
import { jsonBodyLimit, parseJson } from '../../../api/http/json-body.ts'

const repeated = (count: number, textOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => textOf(index)).join(',')
const fields = (count: number, from = 0) => `{${repeated(count, (index) => `"q${from + index}":0`)}}`

describe('a body of JSON', () => {
  it('has at most 100 fields in an object, which are then compared with the known ones', () => {
    expect(() => parseJson(`{"settings":${fields(101)}}`)).toThrow('The body has an object of more than 100 fields.')
    expect(() => parseJson(`{"settings":${fields(100)}}`)).not.toThrow()
  })

  it('has at most 1000 different names', () => {
    const objects = (count: number) => `[${repeated(count, (index) => fields(10, index * 10))}]`
    expect(() => parseJson(objects(101))).toThrow('The body has more than 1000 different names of fields.')
    expect(() => parseJson(objects(100))).not.toThrow()
  })

  it('has at most 20000 objects and lists', () => {
    const message = 'The body has more than 20000 objects and lists.'
    expect(() => parseJson(`[${repeated(20_000, () => '{}')}]`)).toThrow(message)
    expect(() => parseJson(`[${repeated(20_000, () => '[]')}]`)).toThrow(message)
    expect(() => parseJson(`[${repeated(19_999, () => '{}')}]`)).not.toThrow()
  })

  it('may be full of the shortest valid segments', () => {
    const segments = repeated(jsonBodyLimit / 20 - 5, () => '{"start":0,"end":1}')
    const body = `{"settings":{"timelines":[{"segments":[${segments}]}]}}`
    expect(body.length).toBeGreaterThan(jsonBodyLimit - 100)
    expect(parseJson(body)).toEqual(JSON.parse(body))
  })

  it.each([
    ['fields', `${fields(101).slice(0, -1)},`, '100 fields'],
    ['objects', '[{}'.padEnd(100_000, ',{}'), '20000 objects'],
    ['levels', '['.repeat(100_000), '32 levels'],
  ])('with too many %s is refused before it is parsed: what follows need not be JSON', (_what, text, message) => {
    expect(() => parseJson(text)).toThrow(message)
  })

  it.each([
    ['colons', ':'.repeat(jsonBodyLimit)],
    ['escaped quotes of a string that does not end', `"${'\\"'.repeat(jsonBodyLimit / 2)}`],
    ['strings that are not JSON', `{${repeated(jsonBodyLimit / 7, () => '"\\x":0')}}`],
    ['closing brackets', ']'.repeat(jsonBodyLimit)],
  ])('of %s is not valid JSON', (_what, text) => {
    expect(() => parseJson(text)).toThrow('not valid JSON')
  })
})
