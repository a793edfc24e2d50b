import fc from 'fast-check'
import { expect, it } from 'vitest'
import { settingsDocument } from '../../src/endpoints/parse-settings.ts'

it('a document of settings holds every value of JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(settingsDocument.parse({ list: [value], value })).toEqual({ list: [value], value })
    }),
  )
})

it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('a'), () => 1])('but not %s', (value) => {
  expect(settingsDocument.safeParse({ value }).success).toBe(false)
  expect(settingsDocument.safeParse({ list: [{ value }] }).success).toBe(false)
})
