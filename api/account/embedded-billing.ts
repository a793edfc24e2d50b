import { z } from 'zod'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { type AccountLimits, readLimits } from '../../src/billing/limits.ts'
import { recordPayment } from '../../src/billing/payments.ts'
import { embeddedProvider } from '../../src/billing/provider/embedded.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { randomText } from '../../src/core/ids.ts'
import { toUsd } from '../../src/core/money.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import type { ApiContext, App } from '../http/context.ts'
import { hiddenField, readForms } from '../http/forms.ts'

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
