import type { Database, Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

// What is left to erase of deleted rows. `erasedAt` says that nothing of a row's contents is left.

const unerased = { deletedAt: { not: null }, erasedAt: null } as const
const oldestFirst = { orderBy: { deletedAt: 'asc' }, select: { id: true } } as const

/** In this order: jobs read uploads, and a run is erased after its jobs. */
export const unerasedKinds = ['uploads', 'jobs', 'runs'] as const

interface UnerasedInput {
  readonly accountId?: string | undefined
  readonly limit: number
  readonly except?: readonly string[]
}

/** Rows that are deleted and not erased, of one account or of all, without those with the given ids. Jobs and runs that have not ended are left out. */
export async function findUnerased(
  db: Database,
  kind: (typeof unerasedKinds)[number],
  { accountId, limit: take, except = [] }: UnerasedInput,
): Promise<{ id: string }[]> {
  const where = { ...unerased, id: { notIn: [...except] }, ...(accountId === undefined ? {} : { accountId }) }
  const ended = { ...where, endedAt: { not: null } }
  switch (kind) {
    case 'uploads':
      return db.upload.findMany({ where, take, ...oldestFirst })
    case 'jobs':
      return db.job.findMany({ where: ended, take, ...oldestFirst })
    case 'runs':
      return db.workflowRun.findMany({ where: { ...ended, jobs: { none: { erasedAt: null } } }, take, ...oldestFirst })
  }
}

export async function findUnerasedAccounts(
  db: Database,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const where = { ...unerased, id: { notIn: [...except] } }
  const accounts = await db.account.findMany({ where, take: limit, ...oldestFirst })
  return accounts.map(({ id }) => id)
}

/** Whether all jobs, runs, uploads and analyses of the account are erased. */
export async function areContentsErased(tx: Transaction, accountId: string): Promise<boolean> {
  if (await tx.analysis.findFirst({ where: { accountId }, select: { id: true } })) return false
  const one = { where: { accountId, erasedAt: null }, select: { id: true } } as const
  return !(await tx.upload.findFirst(one)) && !(await tx.job.findFirst(one)) && !(await tx.workflowRun.findFirst(one))
}

/** What an erased job or run loses. Ids, endpoint, times and prices stay. */
const noMedia = {
  requestId: '',
  mediaKey: null,
  mediaGeneration: null,
  mediaName: null,
  startSeconds: null,
  endSeconds: null,
  settings: {},
  metadata: Prisma.DbNull,
  warnings: [],
  error: Prisma.DbNull,
  traceParent: null,
}

export const erasedJob = {
  ...noMedia,
  mediaUrl: null,
  mediaVersion: null,
  givenSettings: [],
  mediaInfo: Prisma.DbNull,
  draft: Prisma.DbNull,
  result: Prisma.DbNull,
} satisfies Prisma.JobUpdateInput

export const erasedRun = { ...noMedia, mediaUrl: '', mediaSeconds: 0 } satisfies Prisma.WorkflowRunUpdateInput
