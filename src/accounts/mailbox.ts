import { createHmac } from 'node:crypto'
import { type SigningConfig, signingKeysOf } from '../core/signing-secret.ts'
import type { Transaction } from '../store/database.ts'

/** Providers that ignore dots in the part before the @ (support.google.com/mail/answer/7436150, proton.me/support/addresses-and-aliases). */
const ignoresDots = ['gmail.com', 'proton.me', 'protonmail.com', 'pm.me']
/** Names of one provider for the same mailboxes. */
const sameProvider: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

/** The mailbox that an address leads to: without its tag (`+…`), and without dots where the provider ignores them. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const [untagged = ''] = email.slice(0, at).toLowerCase().split('+', 1)
  const name = ignoresDots.includes(sameProvider[domain] ?? domain) ? untagged.replaceAll('.', '') : untagged
  return `${name}@${sameProvider[domain] ?? domain}`
}

/** Keyed hashes of the address's mailbox, by each signing key; the current one first. */
export function mailboxHashes(config: SigningConfig, email: string): readonly [string, ...string[]] {
  const hash = (secret: string) =>
    createHmac('sha256', secret)
      .update(`mailbox/1\n${mailboxOf(email)}`)
      .digest('base64url')
  const [current, ...others] = signingKeysOf(config)
  return [hash(current.secret), ...others.map(({ secret }) => hash(secret))]
}

/** Keeps the mailbox if it got free credits, also where their proof was none or the account is older than the hashes. */
export async function rememberGrant(tx: Transaction, accountId: string, mailbox: string): Promise<void> {
  const grant = await tx.ledgerEntry.findFirst({ where: { accountId, step: 'sign-up' }, select: { id: true } })
  if (grant) await tx.grantedMailbox.createMany({ data: [{ hash: mailbox }], skipDuplicates: true })
}
