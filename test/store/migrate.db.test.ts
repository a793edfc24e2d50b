import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { required } from '../setup/required.ts'

test('processes that migrate a new database at once apply every migration once', async () => {
  const url = await emptyDatabase('migrate_at_once')

  const [first, second, third] = await Promise.all([migrate(url), migrate(url), migrate(url)])

  const applied = [first, second, third].filter((names) => names.length > 0)
  expect(applied).toHaveLength(1)
  expect(await migrate(url)).toEqual([])
})

test('a broken connection is an error at once', async () => {
  await expect(migrate('postgresql://nobody@127.0.0.1:1/nothing')).rejects.toThrow(/ECONNREFUSED/)
})

async function emptyDatabase(name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: required('TEST_DATABASE_ADMIN_URL') })
  await admin.connect()
  await admin.query(`create database "${name}"`)
  onTestFinished(async () => {
    await admin.query(`drop database "${name}" with (force)`)
    await admin.end()
  })
  const url = new URL(required('TEST_DATABASE_ADMIN_URL'))
  url.pathname = `/${name}`
  return url.href
}
