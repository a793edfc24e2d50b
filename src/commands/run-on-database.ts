import { exitWithMessage, readVariables } from '../config.ts'
import { type Database, openDatabase, reachDatabase } from '../db/database.ts'
import { databaseEnvironment } from '../variables.ts'

/** Runs a command on the database of the environment. Ends the process with one line for the operator if that throws. */
export async function runOnDatabase(command: (db: Database) => Promise<void>): Promise<void> {
  // A reader such as `head` may end first.
  process.stdout.once('error', exitWithMessage)
  try {
    const { DATABASE_URL: url } = readVariables(databaseEnvironment)
    await reachDatabase({ DATABASE_URL: url })
    const db = openDatabase(url, { poolSize: 1 })
    await command(db)
    await db.$disconnect()
  } catch (error) {
    exitWithMessage(error)
  }
}

/** Throws unless an account has the id. */
export async function assertAccount(db: Database, id: string): Promise<void> {
  if (await db.account.findUnique({ where: { id } })) return
  throw new Error(`no account has the id ${id}${id.includes('@') ? `: accounts.js find ${id} prints the id` : ''}`)
}
