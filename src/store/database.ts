import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'

export type Database = PrismaClient
/** The client inside a transaction; a Database is one too. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]

/** Connects lazily. The owner calls `$disconnect()`. */
export function openDatabase(url: string, poolSize = 10): Database {
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url, max: poolSize, connectionTimeoutMillis: 5_000 }),
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  })
}

export async function pingDatabase(db: Database): Promise<void> {
  await db.$executeRaw`SELECT 1`
}
