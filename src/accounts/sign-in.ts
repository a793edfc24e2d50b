import { createHmac } from 'node:crypto'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { betterAuth } from 'better-auth/minimal'
import type { Config } from '../config.ts'
import { type IdPrefix, newId } from '../core/ids.ts'
import type { Mail } from '../mail/open-mailer.ts'
import type { Database } from '../store/database.ts'
import { resetMail, verificationMail } from './mails.ts'
import { ensureOwnAccount, type Owner } from './own-account.ts'

export const passwordLength = { least: 10, most: 128 }
const cookiePrefix = 'media_timeline'
/** The name of the session's cookie, which has __Secure- before it behind https. */
export const sessionCookie = `${cookiePrefix}.session_token`
/** The header that tells better-auth where a request comes from. */
export const addressHeader = 'x-client-address'

export interface SignInDependencies {
  readonly config: Pick<Config, 'BASE_URL' | 'SIGNING_SECRET'>
  readonly db: Database
  /** Mails after the answer, so that its time does not tell who has an account. */
  readonly mailLater: (mail: Mail) => void
}

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in by email address and password (better-auth): what it answers is for the API to translate. */
export function createSignIn({ config: { BASE_URL, SIGNING_SECRET }, db, mailLater }: SignInDependencies) {
  const signIn = betterAuth({
    appName: 'Media Timeline',
    baseURL: BASE_URL,
    secret: createHmac('sha256', SIGNING_SECRET).update('sign-in').digest('base64url'),
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    account: { modelName: 'signInMethod' },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 30 * 86_400, updateAge: 86_400 },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      sendResetPassword: async ({ user, token }) => mailLater({ to: user.email, ...resetMail(BASE_URL, token) }),
      // Whoever signed up first may not have been the owner of the address: he chooses the password anew.
      onExistingUserSignUp: async ({ user }): Promise<void> => {
        await signIn.api.requestPasswordReset({ body: { email: user.email } })
      },
      // The mailed token proves the address as well as a verification does.
      onPasswordReset: async ({ user }) => {
        await db.user.update({ where: { id: user.id }, data: { emailVerified: true } })
        // Links that were mailed before would change it again.
        await db.verification.deleteMany({ where: { value: user.id } })
        await ensureOwnAccount(db, user)
      },
    },
    emailVerification: {
      expiresIn: 86_400,
      sendVerificationEmail: async ({ user, token }) =>
        mailLater({ to: user.email, ...verificationMail(BASE_URL, token) }),
      afterEmailVerification: async (user) => {
        await ensureOwnAccount(db, user)
      },
    },
    databaseHooks: {
      // A process that died after the verification left a user without an account.
      session: { create: { before: async ({ userId }) => void (await ensureOwnAccount(db, await owner(db, userId))) } },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: BASE_URL.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The columns of other ways to sign in are left out.
      database: { generateId: ({ model }) => newId(idPrefixOf(model)), validateSchema: false },
    },
    // The API counts, checks origins and logs for all of its routes.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  })
  return signIn
}

async function owner(db: Database, id: string): Promise<Owner> {
  return db.user.findUniqueOrThrow({ where: { id } })
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
