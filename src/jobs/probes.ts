import { assertMayCreate } from '../accounts/suspension.ts'
import { newId } from '../core/ids.ts'
import type { MediaInfo } from '../core/media.ts'
import { dayMs } from '../core/time-code.ts'
import { announce } from '../db/announcements.ts'
import { type Database, lockAccount } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { ProbeModel } from '../db/generated/models.ts'
import { columnsOf, type Failure, failureSchema, type MediaReference, mediaInfoSchema } from './job-rows.ts'

export type Probe = ProbeModel

/** Throws `account_suspended`, or `invalid_api_key` if the account was deleted. */
export async function createProbe(db: Database, accountId: string, reference: MediaReference): Promise<Probe> {
  const { mediaName: _, ...columns } = columnsOf(reference)
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    return tx.probe.create({ data: { id: newId('prb'), accountId, ...columns } })
  })
}

/** Null if there is no such probe, or if it belongs to another account. */
export async function findProbe(db: Database, accountId: string, probeId: string): Promise<Probe | null> {
  return db.probe.findFirst({ where: { id: probeId, accountId } })
}

/** Null if it does not exist, for example a day after its estimate. */
export async function getProbe(db: Database, probeId: string): Promise<Probe | null> {
  return db.probe.findUnique({ where: { id: probeId } })
}

export type ProbeOutcome = { readonly info: MediaInfo } | { readonly failure: Failure }

/** Records the first outcome, and wakes the waits for it. */
export async function recordOutcome(db: Database, probeId: string, outcome: ProbeOutcome): Promise<void> {
  const data = 'info' in outcome ? { mediaInfo: mediaInfoSchema.parse(outcome.info) } : { error: outcome.failure }
  await db.$transaction(async (tx) => {
    const open = { mediaInfo: { equals: Prisma.DbNull }, error: { equals: Prisma.DbNull } }
    await tx.probe.updateMany({ where: { id: probeId, ...open }, data })
    await announce(tx, probeId)
  })
}

/** The media's description, or the failure; undefined while the media is being read. */
export function outcomeOf({ mediaInfo, error }: Probe): ProbeOutcome | undefined {
  if (error !== null) return { failure: failureSchema.parse(error) }
  return mediaInfo === null ? undefined : { info: mediaInfoSchema.parse(mediaInfo) }
}

/** Deletes up to `limit` probes that no estimate waits for, and returns their number. */
export async function deleteOldProbes(db: Database, limit: number): Promise<number> {
  const { count } = await db.probe.deleteMany({
    where: { createdAt: { lt: new Date(Date.now() - dayMs) } },
    limit,
  })
  return count
}
