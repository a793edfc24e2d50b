import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitted } from '../../../api/mcp/short-answers.ts'

const maxBytes = 4_400

it('an answer that fits is found in few tries, whatever surrounds its entries and however long they are', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: maxBytes }), (entries, around) => {
      let tries = 0
      const answer = fitted(undefined, (limit) => {
        tries += 1
        return { around: ' '.repeat(around), entries: entries.slice(0, limit).map((length) => ' '.repeat(length)) }
      })
      expect(tries).toBeLessThanOrEqual(7)
      const fits = JSON.stringify(answer).length <= maxBytes
      expect(fits || answer.entries.length <= 1).toBe(true)
    }),
  )
})

it('an answer is filled: entries that are alike leave less room than one takes', () => {
  const { entries } = fitted(undefined, (limit) => ({
    around: ' '.repeat(3_900),
    entries: Array(limit).fill('1234567'),
  }))
  // Each takes ten bytes with its quotes and its comma.
  expect(entries.length).toBeGreaterThanOrEqual(45)
})
