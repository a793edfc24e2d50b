import { z } from 'zod'
import type { RowPage } from '../core/concurrency.ts'
import { newId } from '../core/ids.ts'
import { dayMs } from '../core/time-code.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { NoticeModel } from '../db/generated/models.ts'
import { timestamp } from '../db/rows.ts'

/** Older notices are not mailed when mail works again after an outage. */
const mailedWithinDays = 3

/** Mails of notices to an account in an hour. What happens meanwhile comes with the next one. */
export const mailsPerHour = 10

/** In one mail. Ten such mails have more notices than the requests of an account can cause in an hour, so that none waits for longer. */
const maxInMail = 5_000

interface AccountToMail {
  readonly id: string
  /** Of the owner. */
  readonly email: string
}

/** Accounts whose notices are to be mailed now, each once, however many it has; that of the oldest notice first. */
export async function findAccountsToMail(db: Database, { limit, except = [] }: RowPage): Promise<AccountToMail[]> {
  return db.$queryRaw<AccountToMail[]>`
    SELECT accounts.id, users.email FROM (
      SELECT account_id, min(created_at) AS oldest FROM notices
      WHERE mailed_at IS NULL AND created_at > ${timestamp(mailedSince())} AND kind = ANY(${knownKinds}::text[])
        AND account_id <> ALL(${[...except]}::text[])
      GROUP BY account_id
    ) AS waiting
    JOIN accounts ON accounts.id = account_id
    JOIN users ON users.id = owner_id AND email_verified
    -- The notices of one mail have one time.
    WHERE ${mailsPerHour} > (
      SELECT count(DISTINCT mailed_at) FROM notices
      WHERE notices.account_id = accounts.id AND mailed_at > now() - interval '1 hour'
    )
    ORDER BY oldest LIMIT ${limit}`
}

/** What one mail to the account says: oldest first. */
export async function findUnmailedNotices(db: Database, accountId: string) {
  return db.notice.findMany({
    where: { accountId, mailedAt: null, kind: { in: knownKinds }, createdAt: { gt: mailedSince() } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxInMail,
  })
}

function mailedSince(): Date {
  return new Date(Date.now() - mailedWithinDays * dayMs)
}

/** Notes that one mail had all of these notices. */
export async function markMailed(db: Database, ids: readonly string[]): Promise<void> {
  await db.notice.updateMany({ where: { id: { in: [...ids] }, mailedAt: null }, data: { mailedAt: new Date() } })
}

const noticeLifetimeMs = 365 * dayMs

/** Deletes up to `limit` old notices, and returns their number. */
export async function deleteOldNotices(db: Database, limit: number): Promise<number> {
  const before = { lt: new Date(Date.now() - noticeLifetimeMs) }
  // The index begins with the time of the mail.
  const { count } = await db.notice.deleteMany({
    where: { OR: [{ mailedAt: before }, { mailedAt: null, createdAt: before }] },
    limit,
  })
  return count
}

/** An account's notices, newest first. */
export async function listNotices(db: Database, accountId: string, limit: number) {
  return db.notice.findMany({
    where: { accountId, kind: { in: knownKinds } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
}

export function renderNotice({ kind, data }: { readonly kind: string; readonly data: unknown }): RenderedNotice {
  if (!isNoticeKind(kind)) throw new Error(`no notice of the kind ${kind}`)
  return noticeKinds[kind].render(data)
}

/** One notice as it is, or several as a list of what they are about, each with its number, and then their texts. */
export function renderMail(notices: readonly Pick<NoticeModel, 'kind' | 'data' | 'createdAt'>[]): RenderedNotice {
  const rendered = notices.map((notice) => ({ ...renderNotice(notice), createdAt: notice.createdAt }))
  const [first, ...more] = rendered
  if (first && more.length === 0) return { subject: first.subject, text: first.text }
  const counts = new Map<string, number>()
  for (const { subject } of rendered) counts.set(subject, (counts.get(subject) ?? 0) + 1)
  const about = [...counts].map(([subject, count]) => `- ${subject}${count > 1 ? ` (${count})` : ''}`)
  const texts = rendered.map(({ text, createdAt }) => `${createdAt.toISOString()}: ${text}`)
  return { subject: `${notices.length} notices of your account`, text: [about.join('\n'), ...texts].join('\n\n') }
}

interface NewNotice<Kind extends NoticeKind> {
  readonly accountId: string
  readonly kind: Kind
  /** Identifies a notice of its kind: a second notice with the same key is not written. */
  readonly key: string
  readonly data: NoticeData<Kind>
}

/** Adds a notice, once, in the transaction of the change that it reports. It is listed, and upkeep mails it. */
export async function addNotice<Kind extends NoticeKind>(
  tx: Transaction,
  { accountId, kind, key, data }: NewNotice<Kind>,
): Promise<void> {
  await tx.notice.createMany({ data: [{ id: newId('ntc'), accountId, kind, key, data }], skipDuplicates: true })
}

interface RenderedNotice {
  readonly subject: string
  /** Plain text: what happened and what to do. */
  readonly text: string
}

function defineKind<Schema extends z.ZodObject>(data: Schema, render: (data: z.output<Schema>) => RenderedNotice) {
  return { data, render: (stored: unknown) => render(data.parse(stored)) }
}

const usd = z.number().min(0)

const whyInactive = {
  payment_failed:
    'An invoice of your account could not be charged. Open the billing page, and pay it or change the payment method.',
  no_payment_method: 'Your account has no payment method any more. Open the billing page to add one.',
  customer_deleted: 'The payment details of your account were deleted. Open the billing page to add a payment method.',
}

const whyDisabled = { gone: 'answered 410', failing: 'accepted no event for five days' }

/** Every kind of notice. The API returns `data` unchanged, so its names are public. */
const noticeKinds = {
  key_created: defineKind(
    z.object({ key_id: z.string(), name: z.string(), scope: z.string() }),
    ({ key_id, name, scope }) => ({
      subject: 'A new API key',
      text: `The API key "${name}" (${key_id}) was created for your account. It covers ${scope}. If this was not you, revoke it.`,
    }),
  ),
  connector_created: defineKind(
    z.object({ connector_id: z.string(), name: z.string(), scope: z.string() }),
    ({ connector_id, name, scope }) => ({
      subject: 'A new connector',
      text: `The connector "${name}" (${connector_id}) was created for your account: an assistant can use it. It covers ${scope}. If this was not you, revoke it.`,
    }),
  ),
  cap_raised: defineKind(
    z.object({ cap_usd: usd.nullable(), previous_cap_usd: usd.nullable() }),
    ({ cap_usd, previous_cap_usd }) => ({
      subject: 'Your monthly cap was raised',
      text: `The monthly cap of your account was raised from ${inWords(previous_cap_usd)} to ${inWords(cap_usd)}. If this was not you, lower it again and revoke your API keys.`,
    }),
  ),
  spend_alert: defineKind(
    z.object({ month: z.string(), percent: z.number(), spent_usd: usd, cap_usd: usd }),
    ({ month, percent, spent_usd, cap_usd }) => ({
      subject: `${percent} % of your monthly cap is used`,
      text: `In ${month} your account has spent ${inUsd(spent_usd)} of its cap of ${inUsd(cap_usd)}. Jobs that would exceed the cap are refused.`,
    }),
  ),
  webhook_created: defineKind(
    z.object({ webhook_endpoint_id: z.string(), url: z.string() }),
    ({ webhook_endpoint_id: id, url }) => ({
      subject: 'Events of your account are sent to a webhook endpoint',
      text: `Events of your account are now sent to ${url} (webhook endpoint ${id}). If you do not know it, delete the webhook endpoint, and revoke the key that created it.`,
    }),
  ),
  webhook_failing: defineKind(
    z.object({ webhook_endpoint_id: z.string(), url: z.string(), since: z.string() }),
    ({ webhook_endpoint_id: id, url, since }) => ({
      subject: 'A webhook endpoint fails',
      text: `The webhook endpoint ${url} (${id}) has accepted no event since ${since}. Look at its deliveries and mend it: it is disabled after five days, and then misses what happens.`,
    }),
  ),
  webhook_disabled: defineKind(
    z.object({ webhook_endpoint_id: z.string(), url: z.string(), reason: z.enum(['gone', 'failing']) }),
    ({ webhook_endpoint_id: id, url, reason }) => ({
      subject: 'A webhook endpoint was disabled',
      text: `The webhook endpoint ${url} (${id}) was disabled, because it ${whyDisabled[reason]}. No event is sent to it. When it works again, set its status to active, and replay what it missed.`,
    }),
  ),
  billing_activated: defineKind(z.object({ cap_usd: usd.nullable() }), ({ cap_usd }) => ({
    subject: 'Billing is active',
    text: `Billing is active for your account: jobs beyond its free credits are charged to your payment method once a month. The monthly cap is ${inWords(cap_usd)}; you can change it at any time.`,
  })),
  billing_deactivated: defineKind(
    z.object({ reason: z.enum(['payment_failed', 'no_payment_method', 'customer_deleted']) }),
    ({ reason }) => ({
      subject: 'Billing is no longer active',
      text: `${whyInactive[reason]} Until then, your account can start only jobs that its free credits cover. Jobs that are running continue.`,
    }),
  ),
}

type NoticeKind = keyof typeof noticeKinds
type NoticeData<Kind extends NoticeKind> = z.input<(typeof noticeKinds)[Kind]['data']>

function inWords(capUsd: number | null): string {
  return capUsd === null ? 'none' : inUsd(capUsd)
}

function isNoticeKind(kind: string): kind is NoticeKind {
  return Object.hasOwn(noticeKinds, kind)
}

/** The kinds that this release knows; a newer release may have written others. */
export const knownKinds = Object.keys(noticeKinds).filter(isNoticeKind)

/** With two decimals, or more if the amount has them. */
function inUsd(usd: number): string {
  const fine = usd.toFixed(6).replace(/0{1,4}$/, '')
  return `${fine} USD`
}
