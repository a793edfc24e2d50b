import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { upkeepRules } from '../../activities/upkeep/index.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

it('docs/scale.md says what bounds each table, by rules that exist', () => {
  const [, section = ''] = /## What grows, and what bounds it\n([\s\S]*?)\n##/.exec(read('docs/scale.md')) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const tables = rows.flatMap((row) => namesIn(row.split(' | ')[0] ?? '', /`(\w+)`/g))
  const declared = namesIn(read('prisma/schema.prisma'), /@@map\("(\w+)"\)/g)
  expect(declared.length).toBeGreaterThan(15)
  expect(tables.toSorted()).toEqual(declared.toSorted())
  const rules = rows.flatMap((row) => namesIn(row, /`((?:delete|forget)\w+)`/g))
  expect(rules.filter((rule) => !Object.keys(upkeepRules).includes(rule))).toEqual([])
})
