import { z } from 'zod'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { centsToMicroUsd } from '../../src/billing/invoices/invoice-amounts.ts'
import { listInvoices } from '../../src/billing/invoices/prepare-invoice.ts'
import { type AccountLimits, readLimits } from '../../src/billing/limits.ts'
import { recordPayment } from '../../src/billing/payments.ts'
import { embeddedProvider } from '../../src/billing/provider/open-provider.ts'
import { returnPath } from '../../src/billing/provider/provider.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern, randomText } from '../../src/core/ids.ts'
import { toUsd } from '../../src/core/money.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import type { ApiContext, App } from '../http/context.ts'
import { cardPage, hiddenField, readForms, sendPage } from '../http/html.ts'
import { limitOf } from '../http/pages.ts'
import { accountRoute, errorEnvelope, keyErrors, response } from '../http/route.ts'

const params = z.object({ token: z.string() })
const schema = { hide: true, params }

type BillingContext = Pick<ApiContext, 'config' | 'db'>

/** The pages for links of the embedded provider: `/billing/{token}`. No money moves. */
export async function embeddedBillingRoutes(app: App, { config, db }: BillingContext): Promise<void> {
  if (config.BILLING !== 'embedded') return
  const { readLink } = embeddedProvider(config)
  const accountOf = (token: string): string => {
    const link = readLink(token)
    if (!link) throw new ServiceError('not_found', 'This link is invalid or has expired. Request a new one.')
    return link.accountId
  }
  // Only these pages accept forms as bodies besides JSON.
  readForms(app, 1024)

  app.get('/billing/:token', { schema }, async ({ params: { token } }, reply) => {
    const { account } = await readLimits(db, accountOf(token))
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(billingPage(account, `/billing/${token}`, randomText(24)))
  })

  app.post('/billing/:token/activate', { schema }, async ({ params: { token } }, reply) => {
    await activateBilling(db, accountOf(token))
    return reply.redirect(`/billing/${token}`, 303)
  })

  const body = z.object({ reference: z.string().regex(/^[a-zA-Z0-9]{24}$/) })
  app.post('/billing/:token/payment', { schema: { ...schema, body } }, async (request, reply) => {
    const { token } = request.params
    const { account } = await readLimits(db, accountOf(token))
    const { id: accountId, billedMicroUsd: amountMicroUsd } = account
    if (amountMicroUsd > 0n) await recordPayment(db, { accountId, amountMicroUsd, reference: request.body.reference })
    return reply.redirect(`/billing/${token}`, 303)
  })
}

/** The page of the embedded provider. `reference` identifies the payment that its form can record. */
function billingPage(account: AccountLimits['account'], path: string, reference: string): string {
  const { id, billingStatus, creditMicroUsd, billedMicroUsd, monthlyCapMicroUsd } = account
  const cap = monthlyCapMicroUsd === null ? 'none' : `${toUsd(monthlyCapMicroUsd)} USD`
  const activate = `<form method="post" action="${escapeMarkup(path)}/activate"><button>Activate billing</button></form>`
  const pay = `<form method="post" action="${escapeMarkup(path)}/payment">${hiddenField('reference', reference)}<button>Record a payment of ${toUsd(billedMicroUsd)} USD</button></form>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Billing (development stand-in)</title>
</head>
<body>
<h1>Billing</h1>
<p><strong>This is a development stand-in.</strong> It takes no card and no money: it only reports to the service that billing is active, or that a payment arrived.</p>
<dl>
<dt>Account</dt><dd>${escapeMarkup(id)}</dd>
<dt>Billing</dt><dd>${escapeMarkup(billingStatus)}</dd>
<dt>Monthly cap</dt><dd>${escapeMarkup(cap)}</dd>
<dt>Free credits left</dt><dd>${toUsd(creditMicroUsd)} USD</dd>
<dt>Billed and not paid</dt><dd>${toUsd(billedMicroUsd)} USD</dd>
</dl>
${billingStatus === 'active' ? '' : activate}
${billedMicroUsd > 0n ? pay : ''}
</body>
</html>
`
}

export const billingLinkSchema = z.object({
  url: z.url().describe("For the owner's browser."),
  expires_in_seconds: z.int(),
})

/** Throws `endpoint_unavailable` if this service takes no money. */
export async function makeBillingLink(
  { billing }: Pick<ApiContext, 'billing'>,
  accountId: string,
): Promise<z.output<typeof billingLinkSchema>> {
  const { url, expiresInSeconds } = await billing.createLink(accountId)
  return { url, expires_in_seconds: expiresInSeconds }
}

const billingLink = response('BillingLink', { billing_link: billingLinkSchema })

/** `POST /v1/account/billing-link` */
export const billingLinkRoute = accountRoute({
  method: 'POST',
  url: '/v1/account/billing-link',
  schema: {
    operationId: 'createBillingLink',
    tags: ['account'],
    summary: 'Get a link to activate or manage billing',
    description: 'A service without billing answers 501 endpoint_unavailable.',
    response: { ...keyErrors, 200: billingLink, 501: errorEnvelope },
  },
  handler: async (request, { context, account }) => ({
    request_id: request.id,
    billing_link: await makeBillingLink(context, account.accountId),
  }),
})

const invoiceList = response('InvoiceList', {
  invoices: z
    .array(
      z.object({
        id: z.string().regex(idPattern('inv')),
        month: z.string().describe('The UTC month that it closes, YYYY-MM.'),
        status: z
          .enum(['preparing', 'open', 'past_due', 'paid', 'void'])
          .describe('past_due: it could not be charged, and billing is inactive until it is paid.'),
        amount_usd: z.number(),
        created_at: z.iso.datetime(),
        paid_at: z.iso.datetime().optional(),
      }),
    )
    .describe('Newest first.'),
})

/** `GET /v1/account/invoices` */
export const listInvoicesRoute = accountRoute({
  method: 'GET',
  url: '/v1/account/invoices',
  schema: {
    operationId: 'listInvoices',
    tags: ['account'],
    summary: 'List the monthly invoices of the account',
    description: 'The page of the billing link shows and downloads them, and pays one that is past due.',
    querystring: z.object({ limit: limitOf(24) }),
    response: { ...keyErrors, 200: invoiceList },
  },
  handler: async (request, { context: { db }, account }) => {
    const invoices = await listInvoices(db, account.accountId, request.query.limit)
    return {
      request_id: request.id,
      invoices: invoices.map(({ id, month, status, amountCents, createdAt, paidAt }) => ({
        ...{ id, month, status, amount_usd: toUsd(centsToMicroUsd(amountCents)) },
        created_at: createdAt.toISOString(),
        ...(paidAt ? { paid_at: paidAt.toISOString() } : {}),
      })),
    }
  },
})

/** Stripe's events are a few kB; an invoice with many lines is larger. */
const maxEventBytes = 256 * 1024

const hidden = { hide: true }
const eventBody = z.instanceof(Buffer)

/** What Stripe calls, and the page that owners return to from it. */
export async function stripeRoutes(app: App, { config, billing }: ApiContext): Promise<void> {
  const { receiveEvent } = billing
  if (config.BILLING !== 'stripe' || !receiveEvent) return

  // The signature is over the bytes as they came.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxEventBytes },
    async (_request: unknown, body: Buffer) => body,
  )

  app.post('/api/webhooks/stripe', { schema: hidden }, async (request) => {
    const body = eventBody.safeParse(request.body)
    const signature = request.headers['stripe-signature']
    if (!body.success || typeof signature !== 'string')
      throw new ServiceError('invalid_request', 'Send a signed event.')
    await receiveEvent(body.data, signature)
    return { request_id: request.id, received: true }
  })

  app.get(returnPath, { schema: hidden }, async (_request, reply) => sendPage(reply, returnPage))
}

const returnPage = cardPage(
  'Billing',
  `<h1>Back from Stripe</h1>
<p>You can close this page. If you added a payment method, billing becomes active within seconds, and you get a mail.</p>`,
)
