import path from 'node:path'
import { expect, it } from 'vitest'
import { prismaFolder, readMigrations } from '../../src/db/migrate.ts'

/** The last migration of 0.3.0. */
const lastReleased = '20261127080000_waits_listen_for_keys'
const removing = /\b(DROP (COLUMN|TABLE|TYPE)|RENAME|SET NOT NULL)\b|ADD COLUMN(?!.*DEFAULT).*NOT NULL/i

it('a release only adds to the schema, on which processes of the release before run until they are replaced', () => {
  const migrations = readMigrations(path.join(prismaFolder(), 'migrations'))
  const unreleased = migrations.slice(migrations.findIndex(({ name }) => name === lastReleased) + 1)
  const lines = unreleased.flatMap(({ name, sql }) => sql.split('\n').map((line) => ({ name, line })))
  expect(lines.filter(({ line }) => removing.test(line))).toEqual([])
  expect(unreleased.length).toBeLessThan(migrations.length)
})
