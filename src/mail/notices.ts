import { z } from 'zod'
import { newId } from '../core/ids.ts'
import { dayMs } from '../core/time-code.ts'
import type { Database, Transaction } from '../db/database.ts'

/** Older notices are not mailed when mail works again after an outage. */
const mailedWithinDays = 3

/** Unmailed notices of accounts with an owner, oldest first. */
export async function findUnmailedNotices(db: Database, limit: number, except: readonly string[] = []) {
  return db.notice.findMany({
    where: {
      id: { notIn: [...except] },
      mailedAt: null,
      kind: { in: knownKinds },
      createdAt: { gt: new Date(Date.now() - mailedWithinDays * dayMs) },
      account: { owner: { emailVerified: true } },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { id: true, kind: true, data: true, account: { select: { owner: { select: { email: true } } } } },
  })
}

export async function markMailed(db: Database, id: string): Promise<void> {
  await db.notice.updateMany({ where: { id, mailedAt: null }, data: { mailedAt: new Date() } })
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
