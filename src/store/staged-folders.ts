import type { Database } from './database.ts'

/** Notes a folder before objects are written into it. Publishing the job's outputs takes the note away. */
export async function stageFolder(db: Database, jobId: string, folder: string): Promise<void> {
  await db.stagedFolder.createMany({ data: { folder, jobId }, skipDuplicates: true })
}

/** After the folder's objects are gone. */
export async function forgetStagedFolder(db: Database, folder: string): Promise<void> {
  await db.stagedFolder.deleteMany({ where: { folder } })
}

/** Folders of jobs that ended without publishing them. */
export async function findDeadFolders(db: Database, endedBefore: Date, limit: number): Promise<string[]> {
  const dead = await db.stagedFolder.findMany({
    where: { job: { endedAt: { lt: endedBefore } } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { folder: true },
  })
  return dead.map(({ folder }) => folder)
}
