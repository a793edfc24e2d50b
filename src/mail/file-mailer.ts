import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { hasCode } from '../core/disk-errors.ts'
import { randomText } from '../core/ids.ts'
import type { Mail, Mailer } from './open-mailer.ts'

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
