import { createHash, createHmac } from 'node:crypto'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Mail } from '../mail/open-mailer.ts'
import { type Database, isRowDoubled, lockAccount } from '../store/database.ts'
import { assertMayCreate, coverMailbox } from '../store/suspension.ts'
import { mailboxHashes, rememberGrant } from './mailbox.ts'
import { emailChangedMail, emailChangeMail } from './mails.ts'
import { ensureOwnAccount } from './own-account.ts'
import { holdSession } from './sessions.ts'

const validSeconds = 3600

export interface EmailChange {
  readonly userId: string
  /** That asked for it. */
  readonly sessionId: string
  readonly newEmail: string
}

interface EmailChangeMailDependencies {
  readonly db: Database
  readonly baseUrl: string
  readonly secrets: readonly [string, ...string[]]
}

/** The mail with the link that proves the new address; undefined if somebody has confirmed that address, or the session has ended. An earlier link of the user ends. */
export async function emailChangeMailFor(
  { db, baseUrl, secrets }: EmailChangeMailDependencies,
  { userId, sessionId, newEmail }: EmailChange,
): Promise<Mail | undefined> {
  if (await db.user.findUnique({ where: { email: newEmail, emailVerified: true }, select: { id: true } }))
    return undefined
  const id = newId('ver')
  const address = Buffer.from(newEmail).toString('base64url')
  const proof = createHmac('sha256', secrets[0]).update(`change-email/1\n${id}\n${userId}\n${newEmail}`)
  const token = `${address}.${proof.digest('base64url')}`
  const expiresAt = new Date(Date.now() + validSeconds * 1000)
  const requestedBy = await db.$transaction(async (tx) => {
    // A new password ends sessions first, then mailed links.
    if (!(await holdSession(tx, sessionId))) return undefined
    await tx.verification.deleteMany({ where: { value: userId } })
    await tx.verification.create({ data: { id, identifier: identifierOf(token), value: userId, expiresAt } })
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })
    return email
  })
  if (requestedBy === undefined) return undefined
  return { to: newEmail, requestedBy, ...emailChangeMail(baseUrl, { token, expiresAt }) }
}

/** The row has only this hash of the token, which names the address too. */
function identifierOf(token: string): string {
  return createHash('sha256').update(`change-email:${token}`).digest('base64url')
}

interface EmailChangeDependencies {
  readonly db: Database
  readonly config: SigningConfig
}

/**
 * Gives the user the address that the token proves, once, and ends links that were mailed to the old one. Returns the mail that
 * the old address gets. The old mailbox keeps its mark for free credits, and a suspension of the account covers it. Throws
 * `invalid_request` for a token that is over, and for an address that somebody has meanwhile; `account_suspended`.
 */
export async function changeEmail({ db, config }: EmailChangeDependencies, token: string): Promise<Mail> {
  const newEmail = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  const open = { identifier: identifierOf(token), expiresAt: { gt: new Date() } }
  const found = await db.verification.findFirst({ where: open })
  if (!found) throw linkIsOver()
  const accountId = await ensureOwnAccount({ db, config }, found.value)
  try {
    return await db.$transaction(async (tx) => {
      assertMayCreate(await lockAccount(tx, accountId))
      const { count } = await tx.verification.deleteMany({ where: open })
      if (count === 0) throw linkIsOver()
      await tx.verification.deleteMany({ where: { value: found.value } })
      const { email } = await tx.user.findUniqueOrThrow({ where: { id: found.value } })
      const [former] = mailboxHashes(config, email)
      await rememberGrant(tx, accountId, former)
      await coverMailbox(tx, accountId, former)
      // A sign-up that nobody confirmed, which anybody can make, does not keep the owner of the mailbox from the address.
      await tx.user.deleteMany({ where: { email: newEmail, emailVerified: false, account: null } })
      await tx.user.update({ where: { id: found.value }, data: { email: newEmail, emailVerified: true } })
      return { to: email, ...emailChangedMail(newEmail) }
    })
  } catch (error) {
    throw isRowDoubled(error) ? linkIsOver(error) : error
  }
}

function linkIsOver(cause?: unknown): ServiceError {
  const message = 'This link is no longer valid. Request a new one on the account page of the dashboard.'
  return new ServiceError('invalid_request', message, { cause })
}
