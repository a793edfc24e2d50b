import type { Transaction } from './database.ts'

// Order everywhere: the job's row, then its account's.

export async function lockJob(tx: Transaction, jobId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM jobs WHERE id = ${jobId} FOR UPDATE`
}

export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`
}
