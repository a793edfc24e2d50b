import { changeEmail, emailChangeMailFor } from '../../src/accounts/email-change.ts'
import { deleteAccount } from '../../src/accounts/erase-account.ts'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { mailboxHashes, suspendAccount } from '../../src/accounts/suspension.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import type { Database } from '../../src/db/database.ts'

export const config = { SIGNING_KEY_ID: '1', SIGNING_SECRET: 'the secret of these tests, 1' }
/** After a rotation, in which the secret of `config` still counts. */
export const renewedConfig = {
  SIGNING_KEY_ID: '2',
  SIGNING_SECRET: 'another secret of these tests',
  OTHER_SIGNING_SECRET: { keyId: config.SIGNING_KEY_ID, secret: config.SIGNING_SECRET },
}

export const newEmail = () => `${randomText(12).toLowerCase()}@example.com`
export const tagged = (email: string) => email.replace('@', '+tag@')
export const hashOf = (email: string) => mailboxHashes(config, email)[0]

/** Suspends an account as the command of operators does. */
export const suspend = (
  { db, config: signing }: { readonly db: Database; readonly config: Parameters<typeof mailboxHashes>[0] },
  accountId: string,
) => suspendAccount(db, { accountId, reason: 'a complaint', hashMailbox: (email) => mailboxHashes(signing, email)[0] })

/** What owners of accounts do. */
export function ownersOn(db: Database) {
  const signUp = (email = newEmail()) => db.user.create({ data: { id: newId('usr'), name: 'Ada', email } })

  /** An account whose owner left two mailboxes. */
  async function movedTwice() {
    const [first, second, third] = [newEmail(), newEmail(), newEmail()]
    const { id: userId } = await signUp(first)
    const accountId = await ensureOwnAccount({ db, config }, userId)
    const mails = { db, baseUrl: 'http://test', secrets: [config.SIGNING_SECRET] } as const
    const session = { id: newId('ses'), token: randomText(24), userId, expiresAt: new Date(Date.now() + 60_000) }
    const { id: sessionId } = await db.session.create({ data: session })
    for (const newEmail of [second, third]) {
      const mail = await emailChangeMailFor(mails, { userId, sessionId, newEmail })
      const link = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
      await changeEmail({ db, config }, link.searchParams.get('token') ?? '')
    }
    return { accountId, former: [first, second] as const, third }
  }

  return {
    signUp,
    open: async (email: string) => ensureOwnAccount({ db, config }, (await signUp(email)).id),
    remove: (accountId: string) => deleteAccount({ db, config, mailer: undefined }, accountId),
    movedTwice,
  }
}
