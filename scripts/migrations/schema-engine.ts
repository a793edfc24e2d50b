import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { prismaFolder, readMigrations } from '../../src/db/migrate.ts'

/** Prisma's schema engine as WebAssembly, for development only. It needs no download and no process. */
export type SchemaEngine = bindings.SchemaEngine

export const schemaFilter = { externalTables: [], externalEnums: [] }

export interface Schema {
  readonly files: { path: string; content: string }[]
}

export function readSchema(): Schema {
  const file = path.join(prismaFolder(), 'schema.prisma')
  return { files: [{ path: file, content: readFileSync(file, 'utf8') }] }
}

/** The migrations of prisma/migrations, in the engine's format. */
export function migrationsList(): Parameters<SchemaEngine['applyMigrations']>[0]['migrationsList'] {
  const baseDir = path.join(prismaFolder(), 'migrations')
  return {
    baseDir,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: readFileSync(path.join(baseDir, 'migration_lock.toml'), 'utf8') },
    migrationDirectories: readMigrations(baseDir).map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

/** Opens the engine on a database while `use` runs, and then closes every connection that it opened. */
export async function withSchemaEngine<Result>(
  url: string,
  use: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  await loadEngine()
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    const datamodels = readSchema().files.map((file): [string, string] => [file.path, file.content])
    const adapter = bindMigrationAwareSqlAdapterFactory(adapterForMigrations(pool))
    return await use(await bindings.SchemaEngine.new({ datamodels }, () => {}, adapter))
  } finally {
    await pool.end()
  }
}

let loading: Promise<void> | undefined

function loadEngine(): Promise<void> {
  loading ??= load()
  return loading
}

/** TypeScript declares this global only in the browser's library. */
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

async function load(): Promise<void> {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`the schema engine panicked: ${message}`)
      },
    },
  })
  const require = createRequire(import.meta.url)
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm'))
  const binary = readFileSync(path.join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(binary, {
    './schema_engine_bg.js': { ...bindings, ...unrefTimers() },
  })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
}

/** The engine never clears the ten-second timer of its lock; unref'd, the timer does not keep the process alive. */
function unrefTimers(): Record<string, (callback: () => void, milliseconds: number) => NodeJS.Timeout> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'))
  return Object.fromEntries(
    names.map((name) => [name, (callback, milliseconds) => setTimeout(callback, milliseconds).unref()]),
  )
}

const charType = 18
const varcharType = 1043

/**
 * The adapter cannot decode the catalogs' type "char", which comparing schemas reads. Such columns reach it as varchar, and
 * the engine gets their real type back. The engine runs one query at a time.
 */
function adapterForMigrations(pool: pg.Pool): PrismaPg {
  let charColumns = new Set<number>()
  pool.on('connect', (client) => {
    client.connection.prependListener('rowDescription', ({ fields }: { fields: { dataTypeID: number }[] }) => {
      charColumns = new Set(fields.flatMap((field, column) => (field.dataTypeID === charType ? [column] : [])))
      for (const column of charColumns) Object.assign(fields[column] ?? {}, { dataTypeID: varcharType })
    })
  })
  const factory = new PrismaPg(pool)
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    // The adapter would split a script at every semicolon, even inside functions. Sent whole, a migration is one transaction.
    adapter.executeScript = async (sql) => void (await adapter.executeRaw({ sql, args: [], argTypes: [] }))
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (query) => {
      charColumns = new Set()
      const { columnTypes, ...result } = await queryRaw(query)
      const real = columnTypes.map((type, column) => (charColumns.has(column) ? ColumnTypeEnum.Character : type))
      return { ...result, columnTypes: real }
    }
    return adapter
  }
  return factory
}
