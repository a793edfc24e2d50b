import { passwordLength } from '../../../src/accounts/sign-in-options.ts'
import type { ErrorBody } from '../../http/errors.ts'
import { alertOf, hiddenField } from '../../http/forms.ts'
import { cardPage } from '../../http/html.ts'

// The pages behind mailed links. They work without a script, but for the token of a reset, which is in the link's fragment: without
// a script, the reader pastes the link.

const signInLink = '<p><a href="/dashboard/sign-in">Sign in</a></p>'

/** Opening a mailed link changes nothing, because programs that scan mails open links too: the button does what the link is for. */
function confirmationPage(
  {
    title,
    explanation,
    fields = '',
    button,
    action,
  }: Readonly<Record<'title' | 'explanation' | 'button' | 'action', string>> & { readonly fields?: string },
  token: string,
): string {
  return cardPage(
    title,
    `<h1>${title}</h1>
<p>${explanation}</p>
<form method="post" action="${action}">
${hiddenField('token', token)}
${fields}<p><button>${button}</button></p>
</form>`,
  )
}

export function verifyEmailPage(token: string): string {
  const title = 'Confirm your email address'
  const explanation =
    'Confirm only if you signed up yourself. This creates your account, with the password that you enter here: somebody else could have signed up with your address.'
  const fields = `${passwordField('Password')}
<p class="hint">At least ${passwordLength.min} characters.</p>
`
  const button = 'Create the account'
  return confirmationPage({ title, explanation, fields, button, action: '/verify-email' }, token)
}

export const addressConfirmedPage = cardPage(
  'Email address confirmed',
  `<h1>Email address confirmed</h1>
<p>Your account is open.</p>
${signInLink}`,
)

export function confirmEmailChangePage(token: string): string {
  const title = 'Confirm your new email address'
  const explanation =
    'Confirm only if you asked for this change yourself. The account that asked for it then uses your address, to sign in and for its mails.'
  return confirmationPage({ title, explanation, button: 'Use this address', action: '/confirm-email-change' }, token)
}

export const emailChangedPage = cardPage(
  'Email address changed',
  `<h1>Email address changed</h1>
<p>Sign in with this address from now on.</p>
<p><a href="/dashboard/account">To your account</a></p>`,
)

export function addressNotConfirmedPage(error: ErrorBody): string {
  return cardPage(
    'Email address not confirmed',
    `<h1>Email address not confirmed</h1>
${alertOf(error)}
${mailForm('verification', 'Mail me a new link')}`,
  )
}

/** Fills in the token of the link that opened the page. */
export const resetScript = `
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const field = document.getElementById('token')
if (token && field) {
  field.value = token
  field.parentElement.hidden = true
}
`

/** The form for a new password. After an error, the form keeps the token that was sent. */
export function resetPage(error?: ErrorBody, token = ''): string {
  const tokenField = token
    ? hiddenField('token', token)
    : '<p><label for="token">The link in the mail, or its token</label><input id="token" name="token" required autocomplete="off"></p>'
  const open = error && !token ? ' open' : ''
  return cardPage(
    'Choose a new password',
    `<h1>Choose a new password</h1>
${error ? alertOf(error) : ''}
<form method="post" action="/reset-password">
${tokenField}
${passwordField('New password')}
<p class="hint">At least ${passwordLength.min} characters. A new password ends every session.</p>
<p><label><input name="revoke_keys" type="checkbox" value="true"> Revoke all API keys too, if somebody else may have used the account. Programs that use them stop working.</label></p>
<p><button>Change the password</button></p>
</form>
<details${open}><summary>The link does not work</summary>
${mailForm('reset', 'Mail me a new link')}
</details>
<script>${resetScript}</script>`,
  )
}

export function passwordChangedPage(revokesKeys: boolean): string {
  return cardPage(
    'Password changed',
    `<h1>Password changed</h1>
<p>Every session has ended.</p>
<p>${revokesKeys ? 'All API keys of the account are revoked.' : 'API keys keep working.'}</p>
${signInLink}`,
  )
}

function passwordField(label: string): string {
  return `<p><label for="password">${label}</label><input id="password" name="password" type="password" required minlength="${passwordLength.min}" maxlength="${passwordLength.max}" autocomplete="new-password"></p>`
}

export const mailSentPage = cardPage(
  'Look into your mailbox',
  `<h1>Look into your mailbox</h1>
<p>If this address can get the mail, it arrives within a minute. Each kind of mail is sent at most once in three minutes.</p>`,
)

/** For errors that no form of a page can mend. */
export function failurePage(error: ErrorBody): string {
  return cardPage('This did not work', `<h1>This did not work</h1>\n${alertOf(error)}`)
}

function mailForm(kind: 'reset' | 'verification', label: string): string {
  return `<form method="post" action="/mailed-link">
${hiddenField('kind', kind)}
<p><label for="email">Email address</label><input id="email" name="email" type="email" required autocomplete="email"></p>
<p><button>${label}</button></p>
</form>`
}
