import { mailboxHashes, rememberGrant } from '../accounts/mailbox.ts'
import { holdPassword, type PasswordProof } from '../accounts/present-password.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Mailer } from '../mail/open-mailer.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import { revokeKeysWithin } from '../store/revoke-keys.ts'

export interface DeleteAccountDependencies {
  readonly db: Database
  readonly config: SigningConfig
  readonly mailer: Mailer | undefined
}

/**
 * Marks an account as deleted, in one transaction with the end of its keys and of its owner: user, sessions, password, address.
 * Its ledger stays. Deleting it again changes nothing. Throws `wrong_email_or_password` if the owner's password changed since its
 * proof; an operator needs none.
 */
export async function deleteAccount(
  deps: DeleteAccountDependencies,
  accountId: string,
  proof?: PasswordProof,
): Promise<void> {
  const { db, mailer } = deps
  const { owner } = await db.account.findUniqueOrThrow({ where: { id: accountId }, include: { owner: true } })
  // Before the transaction, after which nobody knows the address.
  if (owner) await mailer?.forget?.(owner.email)
  await db.$transaction(async (tx) => {
    const { suspendedAt, isAccountDeleted } = await lockAccount(tx, accountId)
    if (proof && !isAccountDeleted) await holdPassword(tx, proof)
    const mailbox = await ownersMailbox(tx, deps.config, accountId)
    if (mailbox) await rememberGrant(tx, accountId, mailbox)
    await tx.account.updateMany({
      where: { id: accountId, deletedAt: null },
      data: {
        ...{ deletedAt: new Date(), ownerId: null, name: '', suspendedReason: null },
        ...(suspendedAt ? { suspendedMailbox: mailbox } : { suspendedMailbox: null, coveredMailboxes: [] }),
      },
    })
    if (owner) {
      await tx.verification.deleteMany({ where: { value: owner.id } })
      await tx.user.deleteMany({ where: { id: owner.id } })
    }
    // Grants first: that waits for exchanges of refresh tokens, and stops further ones.
    await tx.oAuthGrant.deleteMany({ where: { accountId } })
    await tx.oAuthToken.deleteMany({ where: { connector: { accountId } } })
    await revokeKeysWithin(tx, accountId)
  })
}

/** A hash of the owner's mailbox. Null if the account has no owner, or was deleted. */
async function ownersMailbox(tx: Transaction, config: SigningConfig, accountId: string): Promise<string | null> {
  const owner = await tx.user.findFirst({ where: { account: { id: accountId } }, select: { email: true } })
  return owner && mailboxHashes(config, owner.email)[0]
}
