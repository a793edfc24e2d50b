import { z } from 'zod'

export interface RenderedNotice {
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

/** Every kind of notice. The API returns `data` unchanged, so its names are public. */
export const noticeKinds = {
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

export type NoticeKind = keyof typeof noticeKinds
export type NoticeData<Kind extends NoticeKind> = z.input<(typeof noticeKinds)[Kind]['data']>

function inWords(capUsd: number | null): string {
  return capUsd === null ? 'none' : inUsd(capUsd)
}

export function isNoticeKind(kind: string): kind is NoticeKind {
  return Object.hasOwn(noticeKinds, kind)
}

/** The kinds that this release knows; a newer release may have written others. */
export const knownKinds = Object.keys(noticeKinds).filter(isNoticeKind)

/** With two decimals, or more if the amount has them. */
function inUsd(usd: number): string {
  const fine = usd.toFixed(6).replace(/0{1,4}$/, '')
  return `${fine} USD`
}
