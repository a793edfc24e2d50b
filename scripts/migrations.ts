import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { databaseName } from '../src/db/database.ts'
import { migrate, prismaFolder } from '../src/db/migrate.ts'
import type { Command } from './main.ts'
import { differenceToSchema } from './migrations/schema-drift.ts'
import { migrationsList, schemaFilter, withSchemaEngine } from './migrations/schema-engine.ts'
import { withDatabase } from './stack/database.ts'

const actions: Readonly<Record<string, (url: string) => Promise<number>>> = { deploy, status, drift }

/** `create NAME`, `deploy`, `status` or `drift` on DATABASE_DIRECT_URL, DATABASE_URL or the embedded database. Prints the database's name first. */
export const migrationsCommand: Command = async (context) => {
  const [name = '', argument, ...more] = context.args
  const isCreate = name === 'create' && argument !== undefined && more.length === 0
  const action = isCreate ? (url: string) => create(url, argument) : actions[name]
  if (!action || (!isCreate && argument !== undefined)) throw new Error(context.usage)
  return withDatabase(context, (url) => {
    console.log(`database: ${databaseName(url)}`)
    return action(url)
  })
}

async function create(url: string, name: string): Promise<number> {
  const sql = await differenceToSchema(url)
  if (sql === undefined) {
    console.log('schema.prisma and the migrations agree: no migration to create')
    return 0
  }
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = path.join(prismaFolder(), 'migrations', `${time}_${name.replace(/\W+/g, '_')}`)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'migration.sql'), sql)
  console.log(`wrote ${path.relative(process.cwd(), folder)}`)
  return 0
}

async function deploy(url: string): Promise<number> {
  const applied = await migrate(url)
  console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'all migrations were already applied')
  return 0
}

/** Fails if a migration is missing, was edited after it ran, or failed half way. */
async function status(url: string): Promise<number> {
  const { history, editedMigrationNames, failedMigrationNames } = await withSchemaEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: migrationsList(),
      optInToShadowDatabase: false,
      filters: schemaFilter,
    }),
  )
  if (history) console.log(JSON.stringify(history))
  if (editedMigrationNames.length > 0) console.log(`edited after they ran: ${editedMigrationNames.join(', ')}`)
  if (failedMigrationNames.length > 0) console.log(`failed: ${failedMigrationNames.join(', ')}`)
  const isClean = !history && editedMigrationNames.length + failedMigrationNames.length === 0
  if (isClean) console.log('all migrations are applied')
  return isClean ? 0 : 1
}

async function drift(url: string): Promise<number> {
  const sql = await differenceToSchema(url)
  console.log(sql === undefined ? 'schema.prisma and the migrations agree' : `the migrations do not contain:\n${sql}`)
  return sql === undefined ? 0 : 1
}
