import type { AccountLimits } from '../src/billing/limits.ts'
import { toUsd } from '../src/core/money.ts'

/** The page of the embedded provider. `reference` names the payment that its form can record. */
export function billingPage(account: AccountLimits['account'], path: string, reference: string): string {
  const { id, billingStatus, creditMicroUsd, billedMicroUsd, monthlyCapMicroUsd } = account
  const cap = monthlyCapMicroUsd === null ? 'none' : `${toUsd(monthlyCapMicroUsd)} USD`
  const activate = `<form method="post" action="${path}/activate"><button>Activate billing</button></form>`
  const pay = `<form method="post" action="${path}/payment"><input type="hidden" name="reference" value="${reference}"><button>Record a payment of ${toUsd(billedMicroUsd)} USD</button></form>`
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
<p><strong>This is a development stand-in.</strong> It takes no card and no money: it only tells the service that billing is active, or that a payment came.</p>
<dl>
<dt>Account</dt><dd>${id}</dd>
<dt>Billing</dt><dd>${billingStatus}</dd>
<dt>Monthly spend cap</dt><dd>${cap}</dd>
<dt>Free credits left</dt><dd>${toUsd(creditMicroUsd)} USD</dd>
<dt>Billed and not paid</dt><dd>${toUsd(billedMicroUsd)} USD</dd>
</dl>
${billingStatus === 'active' ? '' : activate}
${billedMicroUsd > 0n ? pay : ''}
</body>
</html>
`
}
