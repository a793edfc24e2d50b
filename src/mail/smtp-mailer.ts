import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { Mailer } from './open-mailer.ts'

/** The server refuses mail for this address permanently. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

/** The server refused every recipient permanently (RFC 5321, 4.2.1). */
const refusal = z.object({ rejected: z.array(z.string()).min(1), responseCode: z.number().min(500) })

/** Opens a connection for each mail: there are few. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  return {
    send: async ({ to, subject, text }) => {
      try {
        await transport.sendMail({ to, subject, text })
      } catch (error) {
        throw refusal.safeParse(error).success ? new MailRefusedError('address refused', { cause: error }) : error
      }
    },
  }
}
