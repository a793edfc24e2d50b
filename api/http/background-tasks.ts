import type { Mail } from '../../src/mail/open-mailer.ts'
import type { ApiDependencies } from './context.ts'

/** Work that continues after the response. It must handle its own errors and never reject. */
export interface Background {
  run(work: Promise<void>): void
  /** Resolves when all of it has ended. */
  settled(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  return {
    run: (work) => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    settled: async () => {
      await Promise.allSettled(running)
    },
  }
}

/** Finds and sends mails in the background, without retries: callers can request a mail again. */
export function mailIn(background: Background, { mailer, logger }: Pick<ApiDependencies, 'mailer' | 'logger'>) {
  return (findMail: () => Promise<Mail | undefined>): void => {
    if (!mailer) return
    const send = async () => {
      const mail = await findMail()
      if (mail) await mailer.send(mail)
    }
    background.run(send().catch((error: unknown) => logger.error({ err: error }, 'mail not sent')))
  }
}
