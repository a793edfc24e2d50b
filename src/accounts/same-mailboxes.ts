import type { SigningConfig } from '../core/signing-secret.ts'
import type { Database } from '../store/database.ts'
import { type FoundAccount, foundAccountColumns, presentFoundAccount } from './describe-account.ts'
import { mailboxHashes } from './mailbox.ts'

interface SameMailboxDependencies {
  readonly db: Database
  readonly config: SigningConfig
}

const readTogether = 10_000

/**
 * The other open accounts whose owner has or had a mailbox that the account covers. Only hashes of former mailboxes are kept, so
 * this reads the address of every owner.
 */
export async function findSameMailboxes(
  { db, config }: SameMailboxDependencies,
  accountId: string,
): Promise<FoundAccount[]> {
  const { coveredMailboxes, suspendedMailbox } = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const covered = new Set([...coveredMailboxes, ...(suspendedMailbox ? [suspendedMailbox] : [])])
  const found: FoundAccount[] = []
  let after = ''
  for (;;) {
    const accounts = await db.account.findMany({
      where: { id: { gt: after, not: accountId }, ownerId: { not: null } },
      orderBy: { id: 'asc' },
      take: readTogether,
      select: { ...foundAccountColumns, coveredMailboxes: true },
    })
    for (const account of accounts) {
      const present = account.owner ? mailboxHashes(config, account.owner.email) : []
      if ([...present, ...account.coveredMailboxes].some((mailbox) => covered.has(mailbox)))
        found.push(presentFoundAccount(account))
    }
    const last = accounts.at(-1)
    if (!last) return found
    after = last.id
  }
}
