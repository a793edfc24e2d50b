import type { Database } from '../../src/db/database.ts'

/** The rows and index entries of these tables that were read so far. Needs a database of one connection, whose statistics can be flushed. */
export async function entriesRead(db: Database, tables: readonly string[]): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`
  const [row] = await db.$queryRaw<{ entries: number }[]>`
    SELECT ((SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY(${[...tables]}))
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${[...tables]})))::int AS entries`
  return row?.entries ?? 0
}
