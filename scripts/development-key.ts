import { createKey } from '../src/accounts/keys.ts'
import { ensureDevelopmentAccount } from '../src/accounts/own-account.ts'
import { openDatabase } from '../src/db/database.ts'

/** A new API key for the development account, which is created if it is missing. */
export async function newDevelopmentKey(databaseUrl: string, name: string): Promise<string> {
  const db = openDatabase(databaseUrl, { poolSize: 1 })
  try {
    const accountId = await ensureDevelopmentAccount(db)
    const { suspendedAt } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
    if (suspendedAt) console.error(`account ${accountId} is suspended: its keys create nothing until it is resumed`)
    const { token } = await createKey(db, { accountId, name, mayRaiseLimits: true })
    return token
  } finally {
    await db.$disconnect()
  }
}
