import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { attacks } from '../../scripts/attacks/attacks.ts'
import { describeAttacks, replaceTable } from '../../scripts/attacks/page.ts'

const page = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'security.md'), 'utf8')
const record = {
  attack: 'A file',
  bound: 'a limit',
  victimSecondsP50: 0.5,
  victimSecondsP95: 1,
  victimJobs: 10,
  toolMebibytes: 20,
  workerMebibytes: 300,
  apiMebibytes: 200,
  notes: ['3 × processing_failed'],
}

test('the table says what was measured', () => {
  expect(describeAttacks([record])).toContain(
    '| A file | a limit | 0.5 | 1.0 | 20 | 300 | 200 | 3 × processing_failed |',
  )
})

test('a new table replaces the old one and leaves the page as it is', () => {
  const once = replaceTable(page, 'one\n')
  expect(once).toContain('\none\n')
  expect(replaceTable(once, 'two\n')).toBe(replaceTable(page, 'two\n'))
  expect(() => replaceTable('no markers', '')).toThrow('docs/security.md')
})

test('the page names every attack of the list with its bound', () => {
  for (const { attack, bound } of attacks) expect(page).toContain(`| ${attack} | ${bound} |`)
})
