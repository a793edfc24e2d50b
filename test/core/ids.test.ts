import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isId, newId, randomText } from '../../src/core/ids.ts'

describe('newId', () => {
  it('is the prefix and 24 letters or digits', () => {
    expect(newId('job')).toMatch(/^job_[a-zA-Z0-9]{24}$/)
    expect(isId('job', newId('job'))).toBe(true)
    expect(isId('upl', newId('job'))).toBe(false)
  })

  it('never repeats an id', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('job'))).size).toBe(10_000)
  })

  it('uses every letter and digit about equally', () => {
    const counts = new Map<string, number>()
    for (const character of randomText(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // Expected 1,000 with a standard deviation of 31: allows eight deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250)
  })
})

describe('isId', () => {
  it.each([
    'job_',
    'job',
    'job_a b',
    'job_a/b',
    'job_../a',
    'job_é',
    'job_a\n',
    ' job_a',
    'JOB_a',
    `job_${'a'.repeat(65)}`,
  ])('refuses %j', (text) => {
    expect(isId('job', text)).toBe(false)
  })

  it('accepts only ids that are safe in paths, keys and logs', () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => `job_${text}`),
        (text) => {
          expect(isId('job', text)).toBe(
            /^[\w]+$/.test(text) && text.length > 4 && !text.slice(4).includes('_') && text.length <= 68,
          )
        },
      ),
    )
  })
})
