import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { fileMailer } from './file-mailer.ts'
import { smtpMailer } from './smtp-mailer.ts'

/** Plain text, in UTF-8. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The address of the person who asked for the mail, if that is another one. The mail does not show it. */
  readonly requestedBy?: string
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. Rejects otherwise, with MailRefusedError if a retry is useless. */
  send(mail: Mail): Promise<void>
  /** Deletes the mails to the address, those that name it and those that it asked for, if this mailer keeps mails. */
  forget?(address: string): Promise<void>
}

type MailConfig = Pick<Config, 'NODE_ENV' | 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'>

/** Undefined if no mail can be sent: in production without SMTP_URL. Elsewhere mail is written to `DATA_DIR/mail`. */
export function openMailer(config: MailConfig, logger: Pick<Logger, 'info'>): Mailer | undefined {
  const { NODE_ENV, SMTP_URL: url, MAIL_FROM: from, DATA_DIR } = config
  if (url) return smtpMailer(url, from)
  return NODE_ENV === 'production' ? undefined : fileMailer(DATA_DIR, from, logger)
}
