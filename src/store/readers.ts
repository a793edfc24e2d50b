import { Prisma } from './generated/client.ts'

/** A stored object, named by columns or parameters. */
export interface ReadableObject {
  readonly objectKey: Prisma.Sql
  /** The upload that it belongs to, which jobs can read as a picture. */
  readonly uploadId?: Prisma.Sql | undefined
}

/** Whether an open job or run reads the object. */
export function isRead(object: ReadableObject): Prisma.Sql {
  return Prisma.sql`EXISTS (${readersOf(object)})`
}

/** The open jobs and runs that read the object. Between two steps of a run, only the run reads its media. */
export function readersOf({ objectKey, uploadId }: ReadableObject): Prisma.Sql {
  const openJobs = Prisma.sql`SELECT id, deleted_at, true AS is_job FROM jobs WHERE ended_at IS NULL`
  const asMedia = [
    Prisma.sql`${openJobs} AND media_key = ${objectKey}`,
    Prisma.sql`
      SELECT id, deleted_at, false FROM workflow_runs WHERE ended_at IS NULL AND media_key = ${objectKey}`,
  ]
  const asPicture = uploadId ? [Prisma.sql`${openJobs} AND settings -> 'upload_ids' @> to_jsonb(${uploadId})`] : []
  return Prisma.join([...asMedia, ...asPicture], ' UNION ALL ')
}
