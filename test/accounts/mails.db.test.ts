import { expect, it } from 'vitest'
import { createSignIn } from '../../src/accounts/sign-in.ts'
import type { Mail } from '../../src/mail/mailer.ts'
import { openTestDatabase } from '../setup/database.ts'
import { config, newEmail, tagged } from './owners.ts'

const db = await openTestDatabase()

it('a mailbox gets a mail of one kind once, whatever tags its address has', async () => {
  const mails: Promise<Mail | undefined>[] = []
  const signIn = createSignIn({
    db,
    config: { BASE_URL: 'http://127.0.0.1:1', ...config },
    mailLater: (findMail) => void mails.push(findMail()),
  })
  const signUp = (email: string) => signIn.api.signUpEmail({ body: { email, name: 'Ada', password: 'ten letters' } })
  const sent = async () => (await Promise.all(mails.splice(0))).map((mail) => mail?.to)
  const email = newEmail()
  await signUp(email)
  expect(await sent()).toEqual([email])
  await signUp(tagged(email))
  expect(await sent()).toEqual([undefined])
  const other = newEmail()
  await signUp(other)
  expect(await sent()).toEqual([other])
})
