import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeReliability, type FaultRecord } from '../../scripts/faults/page.ts'
import { allCases, isLongForm } from './cases.ts'

it.skipIf(isLongForm)('docs/reliability.md lists every case with the end that its test expects', () => {
  const records = allCases.map(({ section, fault, expected }): FaultRecord => {
    return { section, fault, ...expected, leftOver: [] }
  })
  const names = new Set(records.map(({ fault }) => fault))
  expect(names.size).toBe(records.length)
  expect(readFileSync('docs/reliability.md', 'utf8')).toBe(describeReliability(records))
})
