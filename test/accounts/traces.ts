import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Database } from '../../src/db/database.ts'
import { Prisma } from '../../src/db/generated/client.ts'

/** What identifies a person or the person's media, however it is written. */
export type Needles = readonly string[]

const tableNames = z.array(z.object({ name: z.string() }))
const counts = z.array(z.object({ rows: z.number() }))

/** The tables with rows that contain a needle in any column, as text or as bytes. */
export async function tracesInDatabase(db: Database, needles: Needles): Promise<string[]> {
  const tables = tableNames.parse(
    await db.$queryRaw`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'`,
  )
  if (tables.length < 15) throw new Error(`only ${tables.length} tables were searched`)
  const patterns = needles.flatMap((needle) => [`%${needle}%`, `%${Buffer.from(needle).toString('hex')}%`])
  const found: string[] = []
  for (const { name } of tables) {
    const [count] = counts.parse(
      await db.$queryRaw`
      SELECT count(*)::int AS rows FROM ${Prisma.raw(`"${name}"`)} AS line WHERE line::text ILIKE ANY (${patterns})`,
    )
    if (count && count.rows > 0) found.push(name)
  }
  return found.toSorted((a, b) => a.localeCompare(b))
}

/** The files below a folder that contain a needle, or are named by it. */
export async function tracesInFiles(folder: string, needles: Needles): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0))
      const isTrace = needles.some((needle) => file.includes(needle) || bytes.includes(needle))
      return isTrace ? [path.relative(folder, file)] : []
    }),
  )
  return found.flat()
}
