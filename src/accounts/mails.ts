import type { Mail } from '../mail/open-mailer.ts'

type Content = Pick<Mail, 'subject' | 'text'>

/** The token works for a day, and only by the button of the page. */
export function verificationMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Confirm your email address',
    text: `Open this link within a day and confirm there that you sign up with this address:

${baseUrl}/verify-email?token=${encodeURIComponent(token)}

If you did not sign up, ignore this mail: no account is created without your confirmation.`,
  }
}

export interface ResetLink {
  readonly token: string
  readonly expiresAt: Date
  /** The keys and connectors of the account that are not revoked. */
  readonly keys: readonly KeyInMail[]
}

interface KeyInMail {
  readonly name: string
  readonly lastFour: string
  /** Of a connector that an OAuth client has. Its tokens change, so only the client's name says which one it is. */
  readonly oauthGrant: { readonly name: string } | null
}

/** The token is in the fragment, which browsers send to no server. The token works once. */
export function resetMail(baseUrl: string, { token, expiresAt, keys }: ResetLink): Content {
  const until = expiresAt.toISOString().slice(11, 16)
  return {
    subject: 'Choose a new password',
    text: `Someone requested a new password for this address, or signed up with it a second time. If this was you, open this link before ${until} UTC to choose a new password:

${baseUrl}/reset-password#token=${encodeURIComponent(token)}

The new password ends every session. ${aboutKeys(keys)}If this was not you, ignore this mail: your password does not change.`,
  }
}

function aboutKeys(keys: ResetLink['keys']): string {
  if (keys.length === 0) return ''
  const lines = keys.map(({ name, lastFour, oauthGrant }) =>
    oauthGrant ? `- ${oauthGrant.name} (a client that you connected)` : `- ${name} (ends in ${lastFour})`,
  )
  return `API keys and connectors keep working, unless you choose to revoke them with it:

${lines.join('\n')}

`
}

/** The token works once, and only by the button of the page. */
export function emailChangeMail(
  baseUrl: string,
  { token, expiresAt }: Pick<ResetLink, 'token' | 'expiresAt'>,
): Content {
  return {
    subject: 'Confirm your new email address',
    text: `Open this link before ${expiresAt.toISOString().slice(11, 16)} UTC and confirm there that your account uses this address:

${baseUrl}/confirm-email-change?token=${encodeURIComponent(token)}

If you did not ask for this, ignore this mail: nothing changes without your confirmation.`,
  }
}

export function emailChangedMail(newEmail: string): Content {
  return {
    subject: 'Your email address was changed',
    text: `The email address of your account is now ${newEmail}. Mails of the service no longer come here, and you sign in with the new address. Sessions, keys and connectors keep working.

If this was not you, somebody knows your password: contact the operator of the service now.`,
  }
}
