import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Background } from '../core/concurrency.ts'
import { hasCode } from '../core/disk.ts'
import { randomText } from '../core/ids.ts'

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

/** Writes each mail to `DATA_DIR/mail/<time>-<random>.eml`. Logs only the file's path, because mails contain tokens. */
export function fileMailer(dataDir: string, from: string, logger: Pick<Logger, 'info'>): Mailer {
  const folder = path.join(dataDir, 'mail')
  return {
    send: async (mail) => {
      const time = new Date()
      const file = path.join(folder, `${time.toISOString().replace(/\D/g, '')}-${randomText(8)}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(file, message(from, mail, time), { mode: 0o600 })
      logger.info({ file }, 'mail written')
    },
    forget: async (address) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name)
        const mail = await readFile(file, 'utf8').catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return ''
          throw error
        })
        if (isAbout(mail, address)) await rm(file, { force: true })
      }
    },
  }
}

/** Whether a mail has the address in a header or in its text: the mail to an old address names the new one. */
function isAbout(mail: string, address: string): boolean {
  return mail.split(/\s+/).some((word) => word === address || word === `${address}.`)
}

/** An RFC 5322 message, without encodings that would split a link over lines. */
function message(from: string, { to, subject, text, requestedBy }: Mail, time: Date): string {
  const headers = [
    `Date: ${time.toUTCString()}`,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    ...(requestedBy === undefined ? [] : [`X-Requested-By: ${requestedBy}`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ]
  return `${headers.join('\r\n')}\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`
}

/** The server refuses mail for this address, or what the mail says, permanently. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

/** The server refused every recipient, or the mail itself, permanently (RFC 5321, 4.2.1). A refused sender or password is for the operator to mend. */
const refusal = z.intersection(
  z.object({ responseCode: z.number().min(500) }),
  z.union([z.object({ rejected: z.array(z.string()).min(1) }), z.object({ code: z.literal('EMESSAGE') })]),
)

/** Opens a connection for each mail: there are few. */
function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    send: async ({ to, subject, text }) => {
      try {
        await transport.sendMail({ to, subject, text })
      } catch (error) {
        throw refusal.safeParse(error).success ? new MailRefusedError('mail refused', { cause: error }) : error
      }
    },
  }
}

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
