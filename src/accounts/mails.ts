import type { Mail } from '../mail/open-mailer.ts'

type Content = Pick<Mail, 'subject' | 'text'>

/** The link confirms the address; it works for a day. */
export function verificationMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Confirm your email address',
    text: `Open this link within a day to confirm your address and create your account:

${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}

If you did not sign up, ignore this mail: no account is created without the link.`,
  }
}

/** The token is in the fragment, which browsers send to no server. It works once, within an hour. */
export function resetMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Choose a new password',
    text: `Someone requested a new password for this address, or signed up with it a second time. If this was you, open this link within an hour to choose a new password:

${baseUrl}/reset-password#token=${encodeURIComponent(token)}

The new password ends every session. If this was not you, ignore this mail: your password does not change.`,
  }
}
