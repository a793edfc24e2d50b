import type { Transaction } from './database.ts'

// Order everywhere: the row of the job or run, then its account's.

export async function lockJob(tx: Transaction, jobId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM jobs WHERE id = ${jobId} FOR UPDATE`
}

export async function lockRun(tx: Transaction, runId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM workflow_runs WHERE id = ${runId} FOR UPDATE`
}

export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`
}
