import { expect, it } from 'vitest'
import { describeFaults } from '../../lab/long-tests.ts'
import { allCases } from './cases.ts'

it('every case has a name of its own, and a row under its section', () => {
  const lines = describeFaults(allCases.map((each) => ({ ...each, ...each.expected, leftOver: [] }))).split('\n')
  const names = lines.flatMap((line) => /^\| (.+?) \| .+ \| nothing \|$/.exec(line)?.[1] ?? [])
  expect(new Set(names)).toEqual(new Set(allCases.map(({ fault }) => fault)))
  expect(names).toHaveLength(allCases.length)
})
