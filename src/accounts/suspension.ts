import { createHmac } from 'node:crypto'
import { ServiceError } from '../core/errors.ts'
import { type SigningConfig, signingKeysOf } from '../core/signing-secret.ts'
import { type AccountStanding, type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'

interface SuspendAccountInput {
  readonly accountId: string
  readonly reason: string
  readonly hashMailbox: (email: string) => string
}

/**
 * From now on the account creates no job, upload, estimate or key. Repeating it keeps the time, and adds the reason to the earlier
 * ones. `hashMailbox` hashes the mailbox of its owner's address.
 */
export async function suspendAccount(
  db: Database,
  { accountId, reason, hashMailbox }: SuspendAccountInput,
): Promise<void> {
  await db.$transaction(async (tx) => {
    // Waits for a job that is being accepted.
    await lockAccount(tx, accountId)
    const { suspendedAt, suspendedReason, deletedAt, coveredMailboxes, owner } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      include: { owner: { select: { email: true } } },
    })
    if (deletedAt) throw new Error(`${accountId} is deleted: use suspend-mailbox, with the address of its owner`)
    const mailboxes = new Set([...coveredMailboxes, ...(owner ? [hashMailbox(owner.email)] : [])])
    await lockMailboxes(tx, [...mailboxes])
    const data = {
      suspendedAt: suspendedAt ?? new Date(),
      suspendedReason: addReason(suspendedReason, reason),
      coveredMailboxes: [...mailboxes],
    }
    await tx.account.update({ where: { id: accountId }, data })
  })
}

function addReason(earlier: string | null, reason: string): string {
  const reasons = earlier?.split(reasonSeparator) ?? []
  return reasons.includes(reason) ? reasons.join(reasonSeparator) : [...reasons, reason].join(reasonSeparator)
}

const reasonSeparator = '; '

/**
 * Until the transaction ends, no other one suspends an account of these mailboxes, given by their hashes, or opens one: an account
 * is either opened before the suspension, or suspended from its start.
 */
async function lockMailboxes(tx: Transaction, mailboxes: readonly string[]): Promise<void> {
  // In one order, so that two transactions with the same mailboxes do not wait for each other.
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(mailbox, 0)) FROM unnest(${mailboxes.toSorted()}::text[]) AS mailbox`
}

/** While the account is suspended, the next account of the mailbox, given by its hash, is suspended too. */
export async function coverMailbox(tx: Transaction, accountId: string, mailbox: string): Promise<void> {
  await tx.account.updateMany({
    where: { id: accountId, NOT: { coveredMailboxes: { has: mailbox } } },
    data: { coveredMailboxes: { push: mailbox } },
  })
}

/** Suspends the next account of a mailbox, given by its hash, whose account was deleted before it could be suspended. */
export async function suspendMailboxOf(db: Database, accountId: string, mailbox: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockMailboxes(tx, [mailbox])
    const { count } = await tx.account.updateMany({
      where: { id: accountId, deletedAt: { not: null } },
      // The reason would stay with the account, and may name the person.
      data: { suspendedAt: new Date(), suspendedMailbox: mailbox },
    })
    if (count === 0) throw new Error(`${accountId} is not deleted: use suspend`)
  })
}

interface EndedSuspension {
  readonly accountId: string
  readonly suspendedAt: Date
  readonly suspendedReason: string | null
}

/**
 * Upkeep starts the jobs that waited. Also ends what deleted accounts of its mailboxes left behind. Returns the suspensions that it
 * ended, of which nothing stays. Throws if there is none.
 */
export async function resumeAccount(db: Database, accountId: string): Promise<EndedSuspension[]> {
  const mailboxes = Prisma.sql`array_append(covered_mailboxes, suspended_mailbox)`
  const ended = await db.$queryRaw<EndedSuspension[]>`
    WITH earlier AS (
      SELECT id, suspended_at, suspended_reason FROM accounts
      WHERE suspended_at IS NOT NULL AND (id = ${accountId} OR (deleted_at IS NOT NULL
        AND ${mailboxes} && (SELECT ${mailboxes} FROM accounts WHERE id = ${accountId})))
      FOR UPDATE
    )
    UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL, suspended_mailbox = NULL,
      covered_mailboxes = CASE WHEN deleted_at IS NULL THEN covered_mailboxes ELSE '{}' END
    FROM earlier WHERE accounts.id = earlier.id
    RETURNING earlier.id AS "accountId", earlier.suspended_at AS "suspendedAt", earlier.suspended_reason AS "suspendedReason"`
  if (ended.length === 0) throw new Error(`${accountId} is not suspended`)
  return ended
}

/**
 * The suspension that a new account of a mailbox, given by its hashes, starts with: that of an
 * account whose owner has, left or had the mailbox. It stays true until the transaction ends, which opens the account.
 */
export async function findKeptSuspension(tx: Transaction, mailboxes: readonly string[]) {
  await lockMailboxes(tx, mailboxes)
  const given = [...mailboxes]
  const left = { suspendedAt: { not: null }, coveredMailboxes: { hasSome: given } }
  const earlier = await tx.account.findFirst({
    where: { OR: [{ suspendedMailbox: { in: given } }, left] },
    select: { id: true, suspendedMailbox: true, coveredMailboxes: true },
  })
  if (!earlier) return null
  const kept = [earlier.suspendedMailbox, ...earlier.coveredMailboxes]
  const mailbox = mailboxes.find((each) => kept.includes(each)) ?? null
  return { mailbox, reason: `${earlier.id}, of the same mailbox, was suspended` }
}

/** Everything that an account creates calls this with the locked account. Throws `account_suspended`, or `invalid_api_key` if it was deleted. */
export function assertMayCreate({
  suspendedAt,
  isAccountDeleted,
}: Pick<AccountStanding, 'suspendedAt' | 'isAccountDeleted'>): void {
  if (suspendedAt) throw new ServiceError('account_suspended')
  if (isAccountDeleted) throw new ServiceError('invalid_api_key')
}

interface MailProvider {
  readonly domains: RegExp
  /** The domain that stands for all of them, if they have the same mailboxes. */
  readonly domain?: string
  /** What of a name leads to the same mailbox, and what stands for it. */
  readonly same?: readonly [RegExp, string]
}

/** As they document it. Elsewhere, as at Outlook, another dot or another domain is another person. */
const providers: readonly MailProvider[] = [
  // support.google.com/mail/answer/10313 and /7436150
  { domains: /^(?:gmail|googlemail)\.com$/, domain: 'gmail.com', same: [/\./g, ''] },
  // proton.me/support/addresses-and-aliases and /change-username
  { domains: /^(?:proton\.me|protonmail\.(?:com|ch)|pm\.me)$/, domain: 'proton.me', same: [/[._-]/g, ''] },
  // support.apple.com/118230
  { domains: /^(?:icloud|me|mac)\.com$/, domain: 'icloud.com' },
  // yandex.com/support/id/authorization/email.html and /support/mail/web/security/strange-letters.html
  { domains: /^(?:yandex\.(?:com|ru|by|kz|ua)|ya\.ru)$/, domain: 'yandex.com', same: [/-/g, '.'] },
  // The disposable addresses of a person are NAME-WORD, for one NAME (help.yahoo.com/kb/SLN28815.html). Yahoo Japan is another company.
  { domains: /^(?:yahoo\.(?!co\.jp$)(?:com?\.)?[a-z]{2,3}|(?:y|y7|rocket)mail\.com)$/, same: [/-.*$/, ''] },
]

/**
 * Below these domains, each name has a domain of its own, in which every address leads to its mailbox: Fastmail
 * (fastmail.help/hc/en-us/articles/360060591053 and /6239365719055), addy.io (addy.io/help/what-are-the-different-kinds-of-aliases),
 * Firefox Relay (support.mozilla.org/kb/general-questions-about-relay-email-domains).
 */
const domainsOfNames = `
  anonaddy.com anonaddy.me mozmail.com
  123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us
  cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org emailuser.net
  eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmail.cn
  fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es fastmail.fm fastmail.fr fastmail.im fastmail.in
  fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw fastmail.uk
  fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us
  hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com internet-mail.org internetemails.net
  internetmailing.net jetemail.net justemail.net letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com
  mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com
  mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org ml1.net mm.st myfastmail.com mymacmail.com
  nospammail.net ownmail.net petml.com postinbox.com postpro.net proinbox.com promessage.com realemail.net reallyfast.biz
  reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com
  the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net warpmail.net xsmail.com yepmail.net
  your-mail.com
`
  .trim()
  .split(/\s+/)

/** The mailbox that an address leads to: without its tag (`+…`), and with one spelling of what its provider takes for the same. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const above = domainsOfNames.find((each) => domain.endsWith(`.${each}`))
  if (above !== undefined) return `${domain.slice(0, -above.length - 1)}@${above}`
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1)
  const provider = providers.find(({ domains }) => domains.test(domain))
  return `${provider?.same ? name.replace(...provider.same) : name}@${provider?.domain ?? domain}`
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
