import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { deleteAccount, describeContents } from '../accounts/erase-account.ts'
import { assertSigningSecret } from '../accounts/signing-check.ts'
import { type Config, exitWithMessage, readConfig } from '../config.ts'
import { type Database, openDatabase, reachDatabase } from '../db/database.ts'
import { openMailer } from '../mail/mailer.ts'
import { helpIfAsked } from './help.ts'

// Deletes an account, named by its id or its owner's address, and waits until the workers have erased everything in it. Without
// --yes, it says what it would delete.

/** A few passes of upkeep; running jobs end within one. */
const waitSeconds = 180

const usage =
  'usage: erase-account.js ACCOUNT|EMAIL [--yes]\nIt cannot be undone. Without --yes, it says what it would delete, and changes nothing.'
helpIfAsked(usage)

try {
  const [named, confirmation, ...more] = process.argv.slice(2)
  if (!named || (confirmation ?? '--yes') !== '--yes' || more.length > 0) throw new Error(usage)
  const config = readConfig()
  await reachDatabase({ DATABASE_URL: config.DATABASE_URL })
  const db = openDatabase(config.DATABASE_URL, { poolSize: 1 })
  const { id: accountId, deletedAt, erasedAt } = await findAccount(db, named)
  if (deletedAt && erasedAt) say(`${accountId} is already deleted (${deletedAt.toISOString()}) and erased`)
  else await erase(db, config, accountId, confirmation !== undefined)
  await db.$disconnect()
} catch (error) {
  exitWithMessage(error)
}

/** Throws with what it would delete, if that is not confirmed. */
async function erase(db: Database, config: Config, accountId: string, isConfirmed: boolean): Promise<void> {
  if (!isConfirmed) {
    throw new Error(`${await describeContents(db, accountId)}\nNothing was changed. To delete all of it, add --yes.`)
  }
  await assertSigningSecret(db, config)
  await deleteAccount({ db, config, mailer: openMailer(config, pino({ level: 'silent' })) }, accountId)
  say(`${accountId} is deleted: its keys and sessions have ended, and its owner is forgotten`)
  const isErased = await untilErased(db, accountId)
  say(
    isErased
      ? 'everything in it is erased'
      : `not everything is erased after ${waitSeconds} seconds; upkeep continues. Are workers running? To see, run this again with the id and --yes`,
  )
  process.exitCode = isErased ? 0 : 1
}

async function findAccount(db: Database, named: string) {
  const who = named.includes('@') ? { owner: { email: named.trim().toLowerCase() } } : { id: named }
  const account = await db.account.findFirst({ where: who, select: { id: true, deletedAt: true, erasedAt: true } })
  if (!account) throw new Error(`no account has the ${named.includes('@') ? 'owner' : 'id'} ${named}`)
  return account
}

async function untilErased(db: Database, accountId: string): Promise<boolean> {
  for (let second = 0; second < waitSeconds; second += 1) {
    const { erasedAt } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
    if (erasedAt) return true
    await sleep(1_000)
  }
  return false
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
