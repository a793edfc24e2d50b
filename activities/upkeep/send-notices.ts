import { MailRefusedError } from '../../src/mail/smtp-mailer.ts'
import { findUnmailedNotices, markMailed, renderNotice } from '../../src/notices/notices.ts'
import type { UpkeepRule } from './for-each-row.ts'
import { maxRowsPerPass, repairEach } from './for-each-row.ts'

/** Mails notices to the owners of their accounts, at least once: a worker that dies before the row is marked mails it again. */
export const sendNotices: UpkeepRule = async ({ db, mailer }, run) => {
  if (!mailer) return 0
  return repairEach(
    await findUnmailedNotices(db, maxRowsPerPass),
    run,
    async ({ id, account: { owner }, ...notice }) => {
      if (!owner) return false
      try {
        await mailer.send({ to: owner.email, ...renderNotice(notice) })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        run.logger.warn({ err: error.cause, notice: id }, 'notice refused')
      }
      await markMailed(db, id)
      return true
    },
  )
}
