import { toUsd } from '../core/money.ts'
import { counted } from '../core/text.ts'
import type { Database } from '../store/database.ts'

/** What the deletion of an account would delete, in a line for operators. */
export async function describeContents(db: Database, accountId: string): Promise<string> {
  const { owner, creditMicroUsd } = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { creditMicroUsd: true, owner: { select: { email: true } } },
  })
  const here = { accountId, deletedAt: null }
  const [jobs, open, runs, uploads, files] = await Promise.all([
    db.job.count({ where: here }),
    db.job.count({ where: { ...here, endedAt: null } }),
    db.workflowRun.count({ where: here }),
    db.upload.aggregate({ where: here, _count: true, _sum: { bytes: true } }),
    db.output.aggregate({ where: { job: here }, _count: true, _sum: { bytes: true } }),
  ])
  const contents = [
    `${counted(jobs, 'job')}, of which ${open} open`,
    counted(runs, 'run'),
    `${counted(uploads._count, 'upload')} with ${uploads._sum.bytes ?? 0} bytes`,
    `${counted(files._count, 'output')} with ${files._sum.bytes ?? 0} bytes`,
    `${toUsd(creditMicroUsd)} USD of credits left`,
  ]
  return `${accountId}, ${owner ? `of ${owner.email}` : 'without an owner'}: ${contents.join('; ')}`
}
