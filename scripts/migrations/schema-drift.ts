import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { readSchema, type Schema, schemaFilter, withSchemaEngine } from './schema-engine.ts'

/**
 * The SQL that changes a database with every migration applied to match schema.prisma; undefined if they match.
 * Runs the migrations in a temporary database of the given server.
 */
export async function differenceToSchema(
  serverUrl: string,
  schema: Schema = readSchema(),
): Promise<string | undefined> {
  return withScratchDatabase(serverUrl, async (url) => {
    await migrate(url)
    const { exitCode, stdout } = await withSchemaEngine(url, (engine) =>
      engine.diff({
        from: { tag: 'schemaDatasource', ...schema, configDir: '.' },
        to: { tag: 'schemaDatamodel', ...schema },
        script: true,
        exitCode: true,
        filters: schemaFilter,
      }),
    )
    return exitCode === 0 ? undefined : (stdout ?? '')
  })
}

async function withScratchDatabase<Result>(serverUrl: string, use: (url: string) => Promise<Result>): Promise<Result> {
  const name = `scratch_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  try {
    await admin.query(`create database "${name}"`)
    return await use(url.href)
  } finally {
    await admin.query(`drop database if exists "${name}" with (force)`)
    await admin.end()
  }
}
