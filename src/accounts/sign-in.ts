import { AsyncLocalStorage } from 'node:async_hooks'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import type { Config } from '../config.ts'
import { type IdPrefix, newId } from '../core/ids.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Mail } from '../mail/open-mailer.ts'
import type { Database } from '../store/database.ts'
import { countAttempt } from './attempts.ts'
import { type EmailChange, emailChangeMailFor } from './email-change.ts'
import { createKnownDevices } from './known-devices.ts'
import { mailboxOf } from './mailbox.ts'
import { verificationMail } from './mails.ts'
import { ensureOwnAccount } from './own-account.ts'
import { resetMailFor } from './password-reset.ts'
import { createPasswordTurns } from './password-turns.ts'
import { createSignatureRenewal, signInSecretsOf } from './renew-signatures.ts'
import { forgetMailedLinks } from './sessions.ts'
import { signInCode } from './sign-in-errors.ts'

export const passwordLength = { min: 10, max: 128 }
const cookiePrefix = 'media_timeline'
/** The name of the session cookie; with https, browsers see it with the prefix __Secure-. */
export const sessionCookie = `${cookiePrefix}.session_token`
/** The header with the client's address, for better-auth. */
export const addressHeader = 'x-client-address'

export interface SignInDependencies {
  readonly config: Pick<Config, 'BASE_URL' | keyof SigningConfig>
  readonly db: Database
  /** Finds and sends the mail after the response, so that response times do not reveal who has an account. */
  readonly mailLater: (findMail: () => Promise<Mail | undefined>) => void
}

export interface SignUpInput {
  readonly email: string
  readonly password: string
  readonly name: string
}

/** What better-auth does not hand over during a sign-up. */
interface SigningUp {
  /** Made before its transaction, in which a hash would hold a connection. */
  readonly passwordHash: string
  /** Why it could not create the user. It logs this, and throws an error without it. */
  failure?: unknown
}

/** How often a mailbox gets a mail of one kind. A request in between sends none, because the earlier mail has arrived. */
const mailEverySeconds = 180

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in by email address and password (better-auth). The API translates its answers. */
export function createSignIn({ config, db, mailLater }: SignInDependencies) {
  const { BASE_URL } = config
  const secrets = signInSecretsOf(config)
  const mayMail = async (kind: string, email: string) =>
    (await countAttempt(db, {
      of: [`mail ${kind}`, mailboxOf(email)],
      maxAttempts: 1,
      withinSeconds: mailEverySeconds,
    })) === undefined
  const mailReset = (email: string) =>
    mailLater(async () => {
      if (await mayMail('reset', email)) return resetMailFor({ db, baseUrl: BASE_URL, secrets }, email)
    })
  const mailEmailChange = (change: EmailChange) =>
    mailLater(async () => {
      if (await mayMail('email change', change.newEmail))
        return emailChangeMailFor({ db, baseUrl: BASE_URL, secrets }, change)
    })
  // better-auth confirms an address without a password, and calls the hook between its checks and the change.
  const chosenPassword = new AsyncLocalStorage<string>()
  const inTurn = createPasswordTurns()
  const hashInTurn = (password: string) => inTurn(() => hashPassword(password))
  const signingUp = new AsyncLocalStorage<SigningUp>()
  const signIn = betterAuth({
    appName: 'Media Timeline',
    baseURL: BASE_URL,
    secret: secrets[0],
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    account: { modelName: 'signInMethod' },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 30 * 86_400, updateAge: 86_400 },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: {
        hash: async (password) => signingUp.getStore()?.passwordHash ?? hashInTurn(password),
        verify: (given) => inTurn(() => verifyPassword(given)),
      },
      revokeSessionsOnPasswordReset: true,
      // The first sign-up may not have come from the owner of the address, so the owner chooses a new password.
      onExistingUserSignUp: async ({ user }) => mailReset(user.email),
      // The mailed token proves the address, like a verification.
      onPasswordReset: async ({ user }) => {
        await db.user.update({ where: { id: user.id }, data: { emailVerified: true } })
        await forgetMailedLinks(db, user.id)
        await ensureOwnAccount({ db, config }, user.id)
      },
    },
    emailVerification: {
      expiresIn: 86_400,
      sendVerificationEmail: async ({ user, token }) =>
        mailLater(async () => {
          if (await mayMail('verification', user.email)) return { to: user.email, ...verificationMail(BASE_URL, token) }
        }),
      // Whoever signed up may not be the owner of the mailbox, so the password of the sign-up never opens the account.
      beforeEmailVerification: async ({ id: userId }) => {
        const password = chosenPassword.getStore()
        if (password === undefined) throw new Error('an address is confirmed without a password')
        await db.signInMethod.updateMany({ where: { userId }, data: { password: await hashInTurn(password) } })
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
  })
  return {
    api: signIn.api,
    renewSignature: createSignatureRenewal(secrets),
    /** Creates the user, who must confirm the address. Throws the error of the database if that fails. */
    signUp: async (body: SignUpInput): Promise<void> => {
      const signUp: SigningUp = { passwordHash: await hashInTurn(body.password) }
      try {
        await signingUp.run(signUp, () => signIn.api.signUpEmail({ body }))
      } catch (error) {
        throw signInCode(error) === 'FAILED_TO_CREATE_USER' && signUp.failure !== undefined ? signUp.failure : error
      }
    },
    /** Confirms the address of a sign-up, whose password becomes this one. Changes nothing for a confirmed address. */
    verifyEmail: (token: string, password: string) =>
      chosenPassword.run(password, () => signIn.api.verifyEmail({ query: { token } })),
    devices: createKnownDevices(secrets),
    mailReset,
    mailEmailChange,
    mailLater,
  }
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
