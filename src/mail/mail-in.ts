import type { Logger } from 'pino'
import type { Background } from '../core/background.ts'
import type { Mail, Mailer } from './open-mailer.ts'

interface MailInInput {
  readonly mailer: Mailer | undefined
  readonly logger: Pick<Logger, 'error'>
}

/** Finds and sends mails in the background, without retries: callers can request a mail again. */
export function mailIn(background: Background, { mailer, logger }: MailInInput) {
  return (findMail: () => Promise<Mail | undefined>): void => {
    if (!mailer) return
    const send = async () => {
      const mail = await findMail()
      if (mail) await mailer.send(mail)
    }
    background.run(send().catch((error: unknown) => logger.error({ err: error }, 'mail not sent')))
  }
}
