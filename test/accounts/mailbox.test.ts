import { describe, expect, it } from 'vitest'
import { mailboxHashes, mailboxOf } from '../../src/accounts/suspension.ts'

describe('an address leads to the mailbox', () => {
  it.each([
    ['Ada@Example.com', 'ada@example.com'],
    ['ada+1@example.com', 'ada@example.com'],
    ['ada+a+b@example.com', 'ada@example.com'],
    ['a.d.a+x@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['a.da@pm.me', 'ada@proton.me'],
    ['a_d-a+x@proton.me', 'ada@proton.me'],
    ['A-da@protonmail.com', 'ada@proton.me'],
    ['ada@protonmail.ch', 'ada@proton.me'],
    ['ada@me.com', 'ada@icloud.com'],
    ['ada+x@mac.com', 'ada@icloud.com'],
    ['a-d.a@ya.ru', 'a.d.a@yandex.com'],
    ['a.d-a+x@yandex.kz', 'a.d.a@yandex.com'],
    ['love-shop@yahoo.com', 'love@yahoo.com'],
    ['love-bank-2@yahoo.co.uk', 'love@yahoo.co.uk'],
    ['love-shop@ymail.com', 'love@ymail.com'],
    ['ada+x@fastmail.com', 'ada@fastmail.com'],
    ['shop@ada.fastmail.com', 'ada@fastmail.com'],
    ['shop+x@Ada.FastMail.fm', 'ada@fastmail.fm'],
    ['shop@ada.fastmail.com.au', 'ada@fastmail.com.au'],
    ['shop@ada.sent.com', 'ada@sent.com'],
    ['shop@ada.anonaddy.com', 'ada@anonaddy.com'],
    ['shop@ada.mozmail.com', 'ada@mozmail.com'],
    ['ada+x@outlook.com', 'ada@outlook.com'],
  ])('%s as %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
})

describe('other people have the mailbox', () => {
  it.each([
    ['a.da@example.com'],
    ['a-da@example.com'],
    ['a.da@outlook.com'],
    ['ada@hotmail.com'],
    ['a.da@icloud.com'],
    ['ada@yandex.com'],
    ['a.da@yahoo.com'],
    ['a-da@yahoo.co.jp'],
    ['a-da@notyahoo.com'],
    ['ada@fastmail.fm'],
    ['a.da@fastmail.com'],
    ['shop@ada.example.com'],
    ['shop@notfastmail.com'],
    ['shop@ada.fastmail.example.com'],
  ])('%s', (email) => expect(mailboxOf(email)).toBe(email))
})

it('hashes need the secret, and both secrets count while they are replaced', () => {
  const [one, two] = [
    { SIGNING_KEY_ID: '1', SIGNING_SECRET: 'one secret of the tests, 32 characters' },
    { SIGNING_KEY_ID: '2', SIGNING_SECRET: 'two secret of the tests, 32 characters' },
  ]
  const [first, second] = [mailboxHashes(one, 'ada@example.com'), mailboxHashes(two, 'ada+b@example.com')]
  const OTHER_SIGNING_SECRET = { keyId: '1', secret: one.SIGNING_SECRET }
  expect(mailboxHashes({ ...two, OTHER_SIGNING_SECRET }, 'ada@example.com')).toEqual([second[0], first[0]])
  expect(first[0]).not.toBe(second[0])
})
