import { ServiceError } from '../core/errors.ts'
import { isPostgresText, notPostgresText } from '../core/text.ts'
import { Prisma } from './generated/client.ts'

// For statements that Prisma's query builder would split into several. Fields keep Prisma's names.

/** Fields whose column has another name. */
const renamed: Readonly<Record<string, string>> = { dispatchedAt: 'accepted_at' }

function columnOf(field: string): string {
  return renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The columns of the fields, named like the fields, so that a row has the type that Prisma's queries return. */
export function selectFields(fields: readonly string[]): Prisma.Sql {
  return Prisma.raw(fields.map((field) => `${columnOf(field)} AS "${field}"`).join(', '))
}

/** The row's fields, each with a value or null. Fields with a default in the database may be absent. */
type NewRow = Readonly<Record<string, unknown>>

/** An INSERT of rows with the same fields, sent as one document instead of a parameter for each value. */
export function insertRows(table: 'jobs' | 'ledger_entries' | 'outputs', rows: readonly NewRow[]): Prisma.Sql {
  const fields = Object.keys(rows[0] ?? {})
  const columns = Prisma.raw(fields.map(columnOf).join(', '))
  const documents = rows.map((row) => Object.fromEntries(fields.map((field) => [columnOf(field), row[field]])))
  const document = JSON.stringify(documents, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${Prisma.raw(table)}, ${document}::json)`
}

/** A moment as a parameter, independent of the session's time zone. */
export function timestamp(date: Date): Prisma.Sql {
  return Prisma.sql`${date.toISOString()}::timestamptz`
}

const unreadable = { retryable: false, cause: new Error(notPostgresText) }

/** JSON as a parameter. Throws `server_error` for what the database would accept and fail to read. */
export function jsonText(value: unknown): Prisma.Sql {
  // As text, because Prisma would walk the thousands of numbers of a result.
  const document = JSON.stringify(value)
  if (!isPostgresText(document)) throw new ServiceError('server_error', undefined, unreadable)
  return Prisma.sql`${document}::json`
}
