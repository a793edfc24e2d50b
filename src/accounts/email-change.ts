import { createHash, createHmac } from 'node:crypto'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import { type Database, isRowDoubled, lockAccount } from '../db/database.ts'
import type { Mail } from '../mail/mailer.ts'
import { ensureOwnAccount } from './own-account.ts'
import { holdSession } from './sign-in-options.ts'
import { assertMayCreate, coverMailbox, mailboxHashes, rememberGrant } from './suspension.ts'

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

type Content = Pick<Mail, 'subject' | 'text'>

/** The token works for a day, and only by the button of the page. */
export function verificationMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Confirm your email address',
    text: `Open this link within a day, and choose a password there to sign up with this address:

${baseUrl}/verify-email?token=${encodeURIComponent(token)}

If you did not sign up, ignore this mail: no account is created without your confirmation.`,
  }
}

interface ResetLink {
  readonly token: string
  readonly expiresAt: Date
  /** The keys and connectors of the account that have not ended. */
  readonly keys: readonly KeyInMail[]
}

interface KeyInMail {
  readonly name: string
  readonly lastFour: string
  /** Of a connector that an OAuth client has. Its tokens change, so only the client's name says which one it is. */
  readonly oauthGrant: { readonly name: string } | null
}

/** The token is in the fragment, which browsers send to no server. The token works once. */
export function resetMail(baseUrl: string, { token, expiresAt, keys }: ResetLink): Content {
  const until = expiresAt.toISOString().slice(11, 16)
  return {
    subject: 'Choose a new password',
    text: `Someone requested a new password for this address, or signed up with it a second time. If this was you, open this link before ${until} UTC to choose a new password:

${baseUrl}/reset-password#token=${encodeURIComponent(token)}

The new password ends every session. ${aboutKeys(keys)}If this was not you, ignore this mail: your password does not change.`,
  }
}

function aboutKeys(keys: ResetLink['keys']): string {
  if (keys.length === 0) return ''
  const lines = keys.map(({ name, lastFour, oauthGrant }) =>
    oauthGrant ? `- ${oauthGrant.name} (a client that you connected)` : `- ${name} (ends in ${lastFour})`,
  )
  return `API keys and connectors keep working, unless you choose to revoke them with it:

${lines.join('\n')}

`
}

/** The token works once, and only by the button of the page. */
function emailChangeMail(baseUrl: string, { token, expiresAt }: Pick<ResetLink, 'token' | 'expiresAt'>): Content {
  return {
    subject: 'Confirm your new email address',
    text: `Open this link before ${expiresAt.toISOString().slice(11, 16)} UTC and confirm there that your account uses this address:

${baseUrl}/confirm-email-change?token=${encodeURIComponent(token)}

If you did not ask for this, ignore this mail: nothing changes without your confirmation.`,
  }
}

function emailChangedMail(newEmail: string): Content {
  return {
    subject: 'Your email address was changed',
    text: `The email address of your account is now ${newEmail}. Mails of the service no longer come here, and you sign in with the new address. Sessions, keys and connectors keep working.

If this was not you, somebody knows your password: contact the operator of the service now.`,
  }
}
