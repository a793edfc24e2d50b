import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { printMails } from '../../scripts/stack/print-mails.ts'
import { fileMailer } from '../../src/mail/mailer.ts'

it('prints each mail that the service writes, once', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mails-'))
  const printed: string[] = []
  const stop = printMails(dataDir, (text) => printed.push(text))
  const mailer = fileMailer(dataDir, 'from@example.com', { info: () => {} })
  await mailer.send({
    to: 'ada@example.com',
    subject: 'Confirm',
    text: 'Open this link:\n\nhttp://127.0.0.1/?token=abc',
  })
  await mailer.send({ to: 'bob@example.com', subject: 'Confirm', text: 'Another' })
  await expect.poll(() => printed).toHaveLength(2)
  stop()
  expect(printed[0]).toBe('\nMail to ada@example.com\n\n  Open this link:\n  \n  http://127.0.0.1/?token=abc\n')
  expect(printed[1]).toContain('bob@example.com')
})
