import { MailRefusedError } from '../../src/mail/smtp-mailer.ts'
import { findUnmailedNotices, markMailed, renderNotice } from '../../src/notices/notices.ts'
import { maxRowsPerPass, repairFound } from './repair-each.ts'
import type { UpkeepRule } from './rule.ts'

/** Mails each notice at least once: a worker that dies before the row is marked mails it again. */
export const sendNotices: UpkeepRule = {
  description: 'mails notices to accounts: new keys, a raised cap, spend alerts, changes of billing',
  query: ({ db }) => findUnmailedNotices(db, maxRowsPerPass),
  repair: async ({ db, mailer }, pass) => {
    if (!mailer) return 0
    const find = (except: readonly string[]) => findUnmailedNotices(db, maxRowsPerPass, except)
    return repairFound(find, pass, async ({ id, account: { owner }, ...notice }) => {
      if (!owner) return false
      try {
        await mailer.send({ to: owner.email, ...renderNotice(notice) })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        pass.logger.warn({ err: error.cause, notice: id }, 'notice refused')
      }
      await markMailed(db, id)
      return true
    })
  },
}
