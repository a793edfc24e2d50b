import { expect, test } from 'vitest'
import { differenceToSchema } from '../../../scripts/migrations/schema-drift.ts'
import { readSchema } from '../../../scripts/migrations/schema-engine.ts'
import { required } from '../../setup/required.ts'

const server = required('TEST_DATABASE_ADMIN_URL')

test('the migrations create the schema of schema.prisma', async () => {
  expect(await differenceToSchema(server)).toBeUndefined()
})

test('a column that only schema.prisma has is a difference', async () => {
  const files = readSchema().files.map((file) => ({
    ...file,
    content: file.content.replace('model Account {', 'model Account {\n  nickname String?'),
  }))
  expect(await differenceToSchema(server, { files })).toMatch(/ALTER TABLE "accounts" ADD COLUMN\s+"nickname"/)
})
