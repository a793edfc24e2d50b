import { describeLedger } from '../src/billing/check-ledger.ts'
import { databaseName, openDatabase } from '../src/db/database.ts'
import type { Command } from './main.ts'
import { withDatabase } from './stack/database.ts'

/** Prints the findings about the ledger; fails if there are any. */
export const checkLedgerCommand: Command = (context) =>
  withDatabase(context, async (url) => {
    console.log(`database: ${databaseName(url)}`)
    const db = openDatabase(url, { poolSize: 1 })
    try {
      const { isClean, lines } = await describeLedger(db)
      console.log(lines.join('\n'))
      return isClean ? 0 : 1
    } finally {
      await db.$disconnect()
    }
  })
