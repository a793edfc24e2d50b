import type { Mail } from '../mail/open-mailer.ts'

type Content = Pick<Mail, 'subject' | 'text'>

/** The link confirms the address; it works for a day. */
export function verificationMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Confirm your email address',
    text: `Open this link within a day to confirm your address and open your account:

${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}

If you did not sign up, do nothing: without the link nothing happens.`,
  }
}

/** The token stands behind #, which browsers send to no server. It works once, within an hour. */
export function resetMail(baseUrl: string, token: string): Content {
  return {
    subject: 'Choose a new password',
    text: `Somebody asked for a new password with this address, or signed up with it a second time. If that was you, open this link within an hour to choose one:

${baseUrl}/reset-password#token=${encodeURIComponent(token)}

It ends every session. If that was not you, do nothing: your password stays as it is.`,
  }
}
