import { AsyncLocalStorage } from 'node:async_hooks'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import { daySeconds, hourSeconds } from '../core/durations.ts'
import type { Mail } from '../mail/open-mailer.ts'
import { countAttempt } from './attempts.ts'
import { type EmailChange, emailChangeMailFor } from './email-change.ts'
import { createKnownDevices } from './known-devices.ts'
import { mailboxOf } from './mailbox.ts'
import { verificationMail } from './mails.ts'
import { resetMailFor } from './password-reset.ts'
import { createPasswordTurns } from './password-turns.ts'
import { changePassword, type PasswordChange, provePassword, signInWhilePasswordStays } from './present-password.ts'
import { createSignatureRenewal, signInSecretsOf } from './renew-signatures.ts'
import { signInCode } from './sign-in-errors.ts'
import { type SignInParts, type SigningUp, signInOptions } from './sign-in-options.ts'

export interface SignInDependencies extends Pick<SignInParts, 'config' | 'db'> {
  /** Finds and sends the mail after the response, so that response times do not reveal who has an account. */
  readonly mailLater: (findMail: () => Promise<Mail | undefined>) => void
}

export interface SignInInput {
  readonly email: string
  readonly password: string
}

export interface SignUpInput extends SignInInput {
  readonly name: string
}

/** How often a mailbox gets a mail of one kind. A request in between sends none, because the earlier mail has arrived. */
const mailEverySeconds = 180
/** After these, a mailbox gets one an hour: strangers do not fill it, and its owner still gets a link that is valid. */
const soonMailsADay = 6

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in by email address and password (better-auth). The API translates its answers. */
export function createSignIn({ config, db, mailLater }: SignInDependencies) {
  const secrets = signInSecretsOf(config)
  const mails = createMails({ config, db, mailLater }, secrets)
  const inTurn = createPasswordTurns()
  const passwords: SignInParts['passwords'] = {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (given) => inTurn(() => verifyPassword(given)),
  }
  const chosenPassword = new AsyncLocalStorage<string>()
  const signingUp = new AsyncLocalStorage<SigningUp>()
  const { mailReset, mailVerification, mailEmailChange } = mails
  const { api } = betterAuth(
    signInOptions({
      ...{ config, db, secret: secrets[0], passwords, mailReset, mailVerification, signingUp, chosenPassword },
    }),
  )
  return {
    api,
    renewSignature: createSignatureRenewal(secrets),
    /** Creates the user, who must confirm the address. Throws the error of the database if that fails. */
    signUp: async (body: SignUpInput): Promise<void> => {
      const signUp: SigningUp = { passwordHash: await passwords.hash(body.password) }
      try {
        await signingUp.run(signUp, () => api.signUpEmail({ body }))
      } catch (error) {
        throw signInCode(error) === 'FAILED_TO_CREATE_USER' && signUp.failure !== undefined ? signUp.failure : error
      }
    },
    /** Confirms the address of a sign-up, whose password becomes this one. Changes nothing for a confirmed address. */
    verifyEmail: (token: string, password: string) =>
      chosenPassword.run(password, () => api.verifyEmail({ query: { token } })),
    /** Throws `wrong_email_or_password`, for a password that changes meanwhile too. */
    signInEmail: (body: SignInInput, headers: Headers) =>
      signInWhilePasswordStays(db, body.email, () => api.signInEmail({ body, headers, returnHeaders: true })),
    /** Throws `wrong_email_or_password`. */
    provePassword: (userId: string, password: string) => provePassword({ db, passwords }, userId, password),
    changePassword: (change: PasswordChange) => changePassword({ db, passwords }, change),
    devices: createKnownDevices(secrets),
    mailReset,
    mailEmailChange,
    mailLater,
  }
}

/** The mails of sign-in, each at most once in a while. */
function createMails({ config, db, mailLater }: SignInDependencies, secrets: readonly [string, ...string[]]) {
  const baseUrl = config.BASE_URL
  const mailOnce = (kind: string, email: string, findMail: () => Promise<Mail | undefined>) =>
    mailLater(async () => {
      const mayMail = async (what: string, maxAttempts: number, withinSeconds: number) =>
        (await countAttempt(db, { of: [`${what} ${kind}`, mailboxOf(email)], maxAttempts, withinSeconds })) ===
        undefined
      const isDue =
        (await mayMail('mail', 1, mailEverySeconds)) &&
        ((await mayMail('mails a day', soonMailsADay, daySeconds)) || (await mayMail('mail an hour', 1, hourSeconds)))
      return isDue ? findMail() : undefined
    })
  return {
    mailReset: (email: string) => mailOnce('reset', email, async () => resetMailFor({ db, baseUrl, secrets }, email)),
    mailVerification: (email: string, token: string) =>
      mailOnce('verification', email, async () => ({ to: email, ...verificationMail(baseUrl, token) })),
    mailEmailChange: (change: EmailChange) =>
      mailOnce('email change', change.newEmail, async () => emailChangeMailFor({ db, baseUrl, secrets }, change)),
  }
}
