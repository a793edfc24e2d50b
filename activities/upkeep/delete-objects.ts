import type { Dependencies } from '../dependencies.ts'
import type { UpkeepRun } from './index.ts'
import { repairEach } from './repair-each.ts'

export interface StoredRow {
  readonly id: string
  readonly objectKey: string
}

/** Deletes each row's object and then the row: a row whose object is gone is found again the next time. */
export async function deleteObjects(
  { storage }: Pick<Dependencies, 'storage'>,
  run: UpkeepRun,
  rows: readonly StoredRow[],
  forget: (id: string) => Promise<void>,
): Promise<number> {
  return repairEach(rows, run, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forget(id)
    return true
  })
}
