import type { Database } from './database.ts'
import type { OutputModel } from './generated/models.ts'

export type Output = OutputModel

export async function findOutputByKey(db: Database, accountId: string, objectKey: string): Promise<Output | null> {
  return db.output.findFirst({ where: { objectKey, job: { accountId } } })
}
