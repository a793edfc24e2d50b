import { createHash } from 'node:crypto'
import type { RowPage } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import type { MediaInfo } from '../core/media.ts'
import { dayMs } from '../core/time-code.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { AnalysisModel } from '../db/generated/models.ts'
import { jsonText, selectFields } from '../db/rows.ts'
import { type Job, mediaInfoSchema, referenceOf } from './job-rows.ts'

export type Analysis = AnalysisModel

/** Identifies the bytes of a media of an account: its source and version. */
export type MediaIdentity = Pick<Analysis, 'accountId' | 'source' | 'version'>

/** Identifies one analysis of those bytes; its kind is its format. */
export type AnalysisRequest = MediaIdentity & Pick<Analysis, 'format' | 'trackIndex' | 'startMs' | 'endMs'>

type NewAnalysis = AnalysisRequest & Pick<Analysis, 'id' | 'objectKey'> & { readonly mediaInfo: MediaInfo }

/** Media in any version. */
export interface NamedMedia {
  readonly url: string
  readonly object: { readonly key: string } | null
}

/** What the analyses of a media are stored under: a hash of its object's key or URL. */
export function analysisSource({ url, object }: NamedMedia): string {
  return createHash('sha256')
    .update(object ? `object ${object.key}` : `url ${url}`)
    .digest('hex')
}

/** The identity of the job's bytes. Undefined if they have no version, because a change could not be noticed. */
export function identityOf(job: Job): MediaIdentity | undefined {
  return job.mediaVersion === null
    ? undefined
    : { accountId: job.accountId, source: analysisSource(referenceOf(job)), version: job.mediaVersion }
}

const analysisColumns = selectFields(Object.values(Prisma.AnalysisScalarFieldEnum))

export async function hasAnalyses(
  db: Database,
  { accountId, source }: Pick<Analysis, 'accountId' | 'source'>,
): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM analyses WHERE account_id = ${accountId} AND source = ${source} LIMIT 1`
  return found.length > 0
}

/** The media's description by one of its analyses in these formats. */
export async function findMediaInfo(
  db: Database,
  { accountId, source, version }: MediaIdentity,
  formats: readonly number[],
): Promise<MediaInfo | undefined> {
  const [found] = await db.$queryRaw<{ mediaInfo: unknown }[]>`
    SELECT media_info AS "mediaInfo" FROM analyses
    WHERE account_id = ${accountId} AND source = ${source} AND version = ${version} AND format = ANY(${[...formats]}::int[])
    LIMIT 1`
  return found ? mediaInfoSchema.parse(found.mediaInfo) : undefined
}

/** The shortest analysis that covers the requested stretch. */
export async function findAnalysis(
  db: Database,
  { accountId, source, version, format, trackIndex, startMs, endMs }: AnalysisRequest,
): Promise<Analysis | null> {
  const [found] = await db.$queryRaw<Analysis[]>`
    SELECT ${analysisColumns} FROM analyses
    WHERE account_id = ${accountId} AND source = ${source} AND version = ${version} AND format = ${format}
      AND track_index = ${trackIndex} AND start_ms <= ${startMs} AND end_ms >= ${endMs}
    ORDER BY start_ms DESC, end_ms LIMIT 1`
  return found ?? null
}

/** What is kept of the media that a job listened to. Throws `not_found` if nothing is. */
export async function keptSound(
  db: Database,
  job: Job,
  wanted: Omit<AnalysisRequest, keyof MediaIdentity>,
): Promise<Analysis> {
  const identity = identityOf(job)
  const found = identity && (await findAnalysis(db, { ...identity, ...wanted }))
  if (found) return found
  throw new ServiceError(
    'not_found',
    'The levels of this sound are not kept, or not any more. Run audio/detect-silence on the media.',
    { jobId: job.id },
  )
}

/**
 * Records the object in the staged folder as an analysis. Returns false if there is an analysis already, which then stays, or
 * if the job was deleted.
 */
export async function saveAnalysis(db: Database, analysis: NewAnalysis, folder: string): Promise<boolean> {
  const { id, accountId, source, version, format, trackIndex, startMs, endMs, objectKey } = analysis
  // The lock keeps the job from being deleted before this commits: its deletion then finds the analysis.
  const count = await db.$executeRaw`
    WITH staged AS (
      SELECT folder FROM staged_folders JOIN jobs ON jobs.id = job_id
      WHERE folder = ${folder} AND deleted_at IS NULL FOR SHARE OF jobs FOR UPDATE OF staged_folders
    ), saved AS (
      INSERT INTO analyses (id, account_id, source, version, media_info, track_index, start_ms, end_ms, format, object_key)
      SELECT ${id}, ${accountId}, ${source}, ${version}, ${jsonText(mediaInfoSchema.parse(analysis.mediaInfo))},
        ${trackIndex}::int, ${startMs}::int, ${endMs}::int, ${format}::int, ${objectKey}
      FROM staged ON CONFLICT DO NOTHING RETURNING id
    )
    DELETE FROM staged_folders USING saved WHERE staged_folders.folder = ${folder}`
  return count === 1
}

export async function findExpiredAnalyses(db: Database, createdBefore: Date, { limit, except = [] }: RowPage) {
  return db.analysis.findMany({
    where: { createdAt: { lt: createdBefore }, id: { notIn: [...except] } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { id: true, objectKey: true },
  })
}

/** The folder of everything that a job stores for its result. */
export function jobFolder(jobId: string): string {
  return `outputs/${jobId}`
}

/** Counts how pieces are made and stored: workers of other versions do not read them. */
const pieceFormat = 5

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

/** What is no longer needed after a job's end: of a completed job that is not deleted, all that it did not publish but its pieces, which stay for longer. */
export interface DeadSince {
  readonly endedBefore: Date
  readonly completedBefore: Date
}

/** The pieces that a later job may take. */
export const keptPieces = {
  folder: { contains: '/pieces-' },
  job: { status: 'completed', deletedAt: null, endpoint: { startsWith: 'video/clip-' } },
} satisfies Prisma.StagedFolderWhereInput

/** Staged folders of ended jobs that did not publish them. */
export async function findDeadFolders(
  db: Database,
  { endedBefore, completedBefore }: DeadSince,
  { limit, except = [] }: RowPage,
): Promise<string[]> {
  const dead = await db.stagedFolder.findMany({
    where: {
      folder: { notIn: [...except] },
      job: { endedAt: { lt: endedBefore } },
      NOT: { ...keptPieces, job: { ...keptPieces.job, endedAt: { gte: completedBefore } } },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { folder: true },
  })
  return dead.map(({ folder }) => folder)
}

/** The most earlier jobs whose pieces a job looks for. */
const maxCorrected = 5

/** The folders with pieces of the account's last completed jobs for the same window of the same bytes: clips that this job may correct. */
export async function findEarlierPieces(db: Database, job: Job, ffmpegBuild: string): Promise<string[]> {
  const { accountId, endpoint, mediaUrl, mediaKey, mediaVersion, startSeconds, endSeconds } = job
  if (mediaVersion === null) return []
  const earlier = await db.job.findMany({
    where: {
      ...{ ...keptPieces.job, staged: { some: { folder: keptPieces.folder } } },
      ...{ accountId, endpoint, mediaUrl, mediaKey, mediaVersion, startSeconds, endSeconds },
      ...{ id: { not: job.id }, createdAt: { gte: new Date(Date.now() - dayMs) } },
    },
    orderBy: { createdAt: 'desc' },
    take: maxCorrected,
    select: { id: true },
  })
  return earlier.map(({ id }) => piecesFolder(id, ffmpegBuild))
}
