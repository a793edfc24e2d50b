import type { Transaction } from '../store/database.ts'
import { Prisma } from '../store/generated/client.ts'
import type { NewJob } from './insert-job.ts'

/** Agents that time out repeat their request within this time. */
const dedupeWindowMs = 120_000

/** The open job that the same key created within `dedupeWindowMs`, with the same endpoint, media, settings and metadata. */
export async function findDuplicate(tx: Transaction, input: NewJob): Promise<string | undefined> {
  const { accountId, apiKeyId, endpoint, reference, window, settings, metadata } = input
  const duplicate = await tx.job.findFirst({
    where: {
      accountId,
      apiKeyId,
      runId: null,
      endpoint,
      mediaUrl: reference?.url ?? null,
      mediaGeneration: reference?.object?.generation ?? null,
      ...window,
      settings: { equals: settings },
      metadata: { equals: metadata ?? Prisma.DbNull },
      endedAt: null,
      cancelRequestedAt: null,
      createdAt: { gt: new Date(Date.now() - dedupeWindowMs) },
    },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  })
  return duplicate?.id
}
