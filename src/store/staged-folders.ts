import type { Database } from './database.ts'

/** The folder of everything that a job stores for its result. */
export function jobFolder(jobId: string): string {
  return `outputs/${jobId}`
}

/** Counts how pieces are stored: workers of other versions do not read them. */
const pieceFormat = 2

/** The folder of the pieces that workers with this build of ffmpeg make for the job. */
export function piecesFolder(jobId: string, ffmpegBuild: string): string {
  return `${jobFolder(jobId)}/pieces-${pieceFormat}-${ffmpegBuild}`
}

/** Records a folder before objects are written to it. Publishing the job's outputs deletes the record. */
export async function stageFolder(db: Database, jobId: string, folder: string): Promise<void> {
  await db.$executeRaw`INSERT INTO staged_folders (folder, job_id) VALUES (${folder}, ${jobId}) ON CONFLICT DO NOTHING`
}

/** Deletes the record, after the folder's objects were deleted. */
export async function forgetStagedFolder(db: Database, folder: string): Promise<void> {
  await db.stagedFolder.deleteMany({ where: { folder } })
}

/** Staged folders of ended jobs that did not publish them. */
export async function findDeadFolders(
  db: Database,
  endedBefore: Date,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const dead = await db.stagedFolder.findMany({
    where: { folder: { notIn: [...except] }, job: { endedAt: { lt: endedBefore } } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { folder: true },
  })
  return dead.map(({ folder }) => folder)
}
