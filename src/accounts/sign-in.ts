import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac } from 'node:crypto'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { betterAuth } from 'better-auth/minimal'
import { createLimit } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import { randomText } from '../core/ids.ts'
import { isSameSecret } from '../core/signing-secret.ts'
import { daySeconds, hourSeconds } from '../core/time-code.ts'
import type { Mail } from '../mail/mailer.ts'
import { type EmailChange, emailChangeMailFor, verificationMail } from './email-change.ts'
import {
  changePassword,
  countAttempt,
  type PasswordChange,
  provePassword,
  resetMailFor,
  signInCode,
  signInWhilePasswordStays,
} from './password.ts'
import { type SignInParts, type SigningUp, signInOptions } from './sign-in-options.ts'
import { createSignatureRenewal, signInSecretsOf } from './signing-check.ts'
import { mailboxOf } from './suspension.ts'

interface SignInDependencies extends Pick<SignInParts, 'config' | 'db'> {
  /** Finds and sends the mail after the response, so that response times do not reveal who has an account. */
  readonly mailLater: (findMail: () => Promise<Mail | undefined>) => void
}

interface SignInInput {
  readonly email: string
  readonly password: string
}

interface SignUpInput extends SignInInput {
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

/** A hash takes one of the process's four threads for 0.1 seconds, and files and name look-ups need the others. */
const maxRunning = 2
/** They wait for about five seconds. */
const maxWaiting = 100

/** Runs the hashing of a password when few are hashed. Throws `service_unavailable` if too many wait. */
type PasswordTurns = <T>(work: () => Promise<T>) => Promise<T>

export function createPasswordTurns(): PasswordTurns {
  const limit = createLimit(maxRunning)
  let open = 0
  return async (work) => {
    if (open >= maxRunning + maxWaiting) throw new ServiceError('service_unavailable', tooManyPasswords)
    open += 1
    try {
      return await limit(work, new AbortController().signal)
    } finally {
      open -= 1
    }
  }
}

const tooManyPasswords =
  'Too many people sign up or sign in at this moment. Try again after the number of seconds in Retry-After.'

/** The cookie of a browser in which the owner of an address signed in. It gives no access. */
export const deviceCookie = 'media_timeline.device'

interface KnownDevices {
  /** The cookie's value for a browser in which the address's owner has just signed in. */
  issue(email: string): string
  /** The id of the browser, if the value was issued to it for this address. */
  idOf(value: string, email: string): string | undefined
}

/** Signs with the first secret and accepts all, like sessions. */
function createKnownDevices(secrets: readonly [string, ...string[]]): KnownDevices {
  const signed = (secret: string, id: string, email: string) =>
    `${id}.${createHmac('sha256', secret).update(`device/1\n${id}\n${email}`).digest('base64url')}`
  return {
    issue: (email) => signed(secrets[0], randomText(24), email),
    idOf: (value, email) => {
      const [id = ''] = value.split('.', 1)
      return secrets.some((secret) => isSameSecret(value, signed(secret, id, email))) ? id : undefined
    },
  }
}
