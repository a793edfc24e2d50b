import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'
import type { OutputModel } from './generated/models.ts'
import { isRead } from './readers.ts'

export type Output = OutputModel

export async function findOutputByKey(db: Database, accountId: string, objectKey: string): Promise<Output | null> {
  return db.output.findFirst({ where: { objectKey, job: { accountId, deletedAt: null } } })
}

/** Outputs created before `createdBefore` that no open job or run reads. */
export async function findExpiredOutputs(
  db: Database,
  createdBefore: Date,
  limit: number,
  except: readonly string[] = [],
) {
  return db.$queryRaw<{ id: string; objectKey: string }[]>`
    SELECT id, object_key AS "objectKey" FROM outputs
    WHERE created_at < ${createdBefore} AND id <> ALL(${[...except]}::text[])
      AND NOT ${isRead({ objectKey: Prisma.sql`outputs.object_key` })}
    ORDER BY created_at LIMIT ${limit}`
}

export async function forgetOutput(db: Database, id: string): Promise<void> {
  await db.output.deleteMany({ where: { id } })
}
