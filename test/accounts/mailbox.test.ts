import { expect, it } from 'vitest'
import { mailboxHashes, mailboxOf } from '../../src/accounts/mailbox.ts'

it.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+1@example.com', 'ada@example.com'],
  ['ada+a+b@example.com', 'ada@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.da@pm.me', 'ada@proton.me'],
  ['a.da@example.com', 'a.da@example.com'],
])('%s leads to the mailbox %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))

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
