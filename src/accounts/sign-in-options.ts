import type { AsyncLocalStorage } from 'node:async_hooks'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import type { BetterAuthOptions } from 'better-auth/minimal'
import type { Config } from '../config.ts'
import { type IdPrefix, newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import { daySeconds } from '../core/time-code.ts'
import type { Database, Transaction } from '../db/database.ts'
import { ensureOwnAccount } from './own-account.ts'

export const passwordLength = { min: 10, max: 128 }
const cookiePrefix = 'media_timeline'
/** The name of the session cookie; with https, browsers see it with the prefix __Secure-. */
export const sessionCookie = `${cookiePrefix}.session_token`
/** The header with the client's address, for better-auth. */
export const addressHeader = 'x-client-address'

/** What better-auth does not hand over during a sign-up. */
export interface SigningUp {
  /** Made before its transaction, in which a hash would hold a connection. */
  readonly passwordHash: string
  /** Why it could not create the user. It logs this, and throws an error without it. */
  failure?: unknown
}

export interface SignInParts {
  readonly config: Pick<Config, 'BASE_URL' | keyof SigningConfig>
  readonly db: Database
  readonly secret: string
  readonly passwords: {
    readonly hash: (password: string) => Promise<string>
    readonly verify: (given: { readonly hash: string; readonly password: string }) => Promise<boolean>
  }
  readonly mailReset: (email: string) => void
  readonly mailVerification: (email: string, token: string) => void
  readonly signingUp: AsyncLocalStorage<SigningUp>
  /** better-auth confirms an address without a password, and calls the hook between its checks and the change. */
  readonly chosenPassword: AsyncLocalStorage<string>
}

/** How better-auth stores and checks what sign-in needs, and what happens at its steps. */
export function signInOptions({ config, db, secret, passwords, signingUp, chosenPassword, ...mail }: SignInParts) {
  const { BASE_URL } = config
  return {
    appName: 'Media Timeline',
    baseURL: BASE_URL,
    secret,
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    account: { modelName: 'signInMethod' },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 30 * daySeconds, updateAge: daySeconds },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: {
        hash: async (password) => signingUp.getStore()?.passwordHash ?? passwords.hash(password),
        verify: passwords.verify,
      },
      revokeSessionsOnPasswordReset: true,
      // The first sign-up may not have come from the owner of the address, so the owner chooses a new password.
      onExistingUserSignUp: async ({ user }) => mail.mailReset(user.email),
      // The mailed token proves the address, like a verification.
      onPasswordReset: async ({ user }) => {
        // better-auth ends them before the new password counts: a sign-in in between would keep its session.
        await endAllSessions(db, user.id)
        await forgetMailedLinks(db, user.id)
        await db.user.update({ where: { id: user.id }, data: { emailVerified: true } })
        await ensureOwnAccount({ db, config }, user.id)
      },
    },
    emailVerification: {
      expiresIn: daySeconds,
      sendVerificationEmail: async ({ user, token }) => mail.mailVerification(user.email, token),
      // The person who signed up may not own the mailbox, so the password of the sign-up never opens the account.
      beforeEmailVerification: async ({ id: userId }) => {
        const password = chosenPassword.getStore()
        if (password === undefined) throw new Error('an address is confirmed without a password')
        await db.signInMethod.updateMany({ where: { userId }, data: { password: await passwords.hash(password) } })
      },
      afterEmailVerification: async ({ id }) => {
        await ensureOwnAccount({ db, config }, id)
      },
    },
    databaseHooks: {
      // A process that dies after the verification leaves a user without an account.
      session: { create: { before: async ({ userId }) => void (await ensureOwnAccount({ db, config }, userId)) } },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: BASE_URL.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The schema leaves out the columns of other sign-in methods.
      database: { generateId: ({ model }) => newId(idPrefixOf(model)), validateSchema: false },
    },
    // The API itself limits rates, checks origins and logs.
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, _message, cause) => {
        const signUp = signingUp.getStore()
        if (signUp) signUp.failure = cause
      },
    },
    telemetry: { enabled: false },
  } satisfies BetterAuthOptions
}

const idPrefixes: Readonly<Record<string, IdPrefix>> = {
  user: 'usr',
  session: 'ses',
  account: 'sim',
  signInMethod: 'sim',
  verification: 'ver',
}

function idPrefixOf(model: string): IdPrefix {
  const prefix = idPrefixes[model]
  if (!prefix) throw new Error(`no id for ${model}`)
  return prefix
}

/** The user's unexpired sessions, newest first, without their tokens. */
export async function listSessions(db: Database, userId: string) {
  return db.session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, ipAddress: true, userAgent: true, createdAt: true, updatedAt: true, expiresAt: true },
  })
}

/** Returns whether the session existed. Every API process refuses the next request with it. */
export async function endSession(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } })
  return count > 0
}

export async function endOtherSessions(db: Database, userId: string, sessionId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId, id: { not: sessionId } } })
}

async function endAllSessions(db: Database, userId: string): Promise<void> {
  await db.session.deleteMany({ where: { userId } })
}

/** Whether the session exists. It then does until the transaction ends. */
export async function holdSession(tx: Transaction, sessionId: string): Promise<boolean> {
  return (await tx.$executeRaw`SELECT FROM sessions WHERE id = ${sessionId} FOR SHARE`) > 0
}

/** Links that were mailed earlier could change the password again. */
export async function forgetMailedLinks(db: Database, userId: string): Promise<void> {
  await db.verification.deleteMany({ where: { value: userId } })
}

/** Deletes up to `limit` users who did not confirm their address, and returns their number. They have no account, and can sign up again. */
export async function forgetUnconfirmed(db: Database, signedUpBefore: Date, limit: number): Promise<number> {
  const where = { emailVerified: false, account: null, createdAt: { lt: signedUpBefore } }
  const { count } = await db.user.deleteMany({ where, limit })
  return count
}

/** Deletes up to `limit` expired sessions, and as many verifications, and returns their number. */
export async function forgetExpired(db: Database, now: Date, limit: number): Promise<number> {
  const expired = { where: { expiresAt: { lt: now } }, limit }
  const gone = await Promise.all([db.session.deleteMany(expired), db.verification.deleteMany(expired)])
  return gone.reduce((sum, { count }) => sum + count, 0)
}
