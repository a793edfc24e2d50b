import type { OAuthClient } from '../../src/core/oauth-clients.ts'
import type { KeyScope } from '../../src/core/scopes.ts'
import { escapeMarkup } from '../../src/core/text.ts'
import type { ErrorBody } from '../http/errors.ts'
import { alertOf, hiddenField } from '../http/forms.ts'
import { cardPage } from '../http/html.ts'
import type { Destination, Requested } from './authorization-request.ts'
import type { SignedForm } from './signed-form.ts'

// The pages of an authorization request. They work without a script and by keyboard alone.

const inWords: Readonly<Record<KeyScope, string>> = {
  all: 'Everything: all endpoints and jobs, and the keys and limits of the account, which it can lower and not raise',
  'video/*': 'Video endpoints, and their jobs',
  'audio/*': 'Audio endpoints, and their jobs',
  'timeline/*': 'Timeline endpoints, and their jobs',
}

export interface SpendingRoom {
  readonly creditsLeftUsd: number
  readonly monthlyCapUsd: number | null
  readonly isBillingActive: boolean
}

interface Consent extends Pick<Destination, 'client' | 'redirectUri'>, Pick<Requested, 'scopes' | 'proposedScope'> {
  readonly email: string
  readonly spending: SpendingRoom
  readonly form: SignedForm
}

export function consentPage({ client, redirectUri, scopes, proposedScope, email, spending, form }: Consent): string {
  const { request, until, signature } = form
  const hidden = [hiddenField('request', request), hiddenField('until', until), hiddenField('signature', signature)]
  const choices = scopes.map(
    (scope) =>
      `<p><label><input type="radio" name="scope" value="${scope}" required${scope === proposedScope ? ' checked' : ''}> ${inWords[scope]} (<code>${scope}</code>)</label></p>`,
  )
  return cardPage(
    `Connect ${client.name}`,
    `<h1>Connect ${escapeMarkup(client.name)}?</h1>
<p><strong>${escapeMarkup(client.name)}</strong> asks to use the account of <strong>${escapeMarkup(email)}</strong>. The answer goes to <code>${escapeMarkup(new URL(redirectUri).origin)}</code>.</p>
<form method="post" action="/api/auth/oauth/authorize">
${hidden.join('\n')}
<fieldset><legend>What it may use</legend>
${choices.join('\n')}
</fieldset>
<p><label for="monthly_cap_usd">What it may spend in a month, in USD</label><input id="monthly_cap_usd" name="monthly_cap_usd" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,6})?" aria-describedby="spending" autocomplete="off"></p>
<p id="spending" class="hint">${inSentences(spending)}</p>
<p><button name="decision" value="approve">Connect</button> <button name="decision" value="deny">Cancel</button></p>
</form>
<p>You can revoke the connection at any time; it then ends immediately.</p>`,
  )
}

function inSentences({ creditsLeftUsd, monthlyCapUsd, isBillingActive }: SpendingRoom): string {
  const cap = monthlyCapUsd === null ? 'has no monthly cap' : `has a monthly cap of ${monthlyCapUsd} USD`
  const billing = isBillingActive ? 'Billing is active.' : 'Billing is not active: only the credits can be spent.'
  return `Left empty, only the limits of the account apply. It ${cap} and ${creditsLeftUsd} USD of free credits left. ${billing}`
}

/** Signs in within an authorization request, which the form carries. */
export function signInPage(client: OAuthClient, request: string, error?: ErrorBody): string {
  return cardPage(
    'Sign in',
    `<h1>Sign in</h1>
<p>Sign in to connect <strong>${escapeMarkup(client.name)}</strong> to your account. Only this service sees your password.</p>
${error ? alertOf(error) : ''}
<form method="post" action="/api/auth/oauth/sign-in">
${hiddenField('request', request)}
<p><label for="email">Email address</label><input id="email" name="email" type="email" required autocomplete="username"></p>
<p><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password"></p>
<p><button>Sign in</button></p>
</form>`,
  )
}
