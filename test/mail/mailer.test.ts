import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { MailRefusedError, openMailer } from '../../src/mail/mailer.ts'

const link = `https://api.example/verify?token=${'t'.repeat(200)}`
const mail = { to: 'ada@example.com', subject: 'Confirm', text: `Open this:\n${link}` }
const config = { NODE_ENV: 'test', SMTP_URL: undefined, MAIL_FROM: 'Media <no-reply@example.com>' } as const

it('without SMTP a mail becomes a file, and only its path is logged', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'mail '))
  onTestFinished(() => rm(DATA_DIR, { recursive: true }))
  const lines: string[] = []
  const mailer = openMailer({ ...config, DATA_DIR }, { info: (...line: unknown[]) => lines.push(JSON.stringify(line)) })
  await mailer?.send(mail)
  const [name = ''] = await readdir(path.join(DATA_DIR, 'mail'))
  const file = path.join(DATA_DIR, 'mail', name)
  const text = await readFile(file, 'utf8')
  expect(text).toContain(`\r\n\r\nOpen this:\r\n${link}\r\n`)
  expect(text).toMatch(/^From: Media <no-reply@example.com>\r\nTo: ada@example.com\r\nSubject: Confirm\r\n/m)
  expect(lines).toEqual([JSON.stringify([{ file }, 'mail written'])])
})

it('a mail that somebody with another address asked for is deleted with those of that address, and with those of its own', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'mail '))
  onTestFinished(() => rm(DATA_DIR, { recursive: true }))
  const mailer = openMailer({ ...config, DATA_DIR }, { info: () => {} })
  const asked = { ...mail, to: 'new@example.com', requestedBy: 'old@example.com' }
  for (const address of ['old@example.com', 'new@example.com']) {
    await mailer?.send(asked)
    await mailer?.send(mail)
    await mailer?.forget?.(address)
    const names = await readdir(path.join(DATA_DIR, 'mail'))
    expect(names).toHaveLength(1)
    expect(await readFile(path.join(DATA_DIR, 'mail', names[0] ?? ''), 'utf8')).toContain('To: ada@example.com\r\n')
    await mailer?.forget?.(mail.to)
  }
})

it('production without SMTP sends no mail', () => {
  expect(openMailer({ ...config, NODE_ENV: 'production', DATA_DIR: '/nowhere' }, { info: () => {} })).toBeUndefined()
})

/** An SMTP server with given answers to RCPT and to the mail, which stores the mails. */
async function startSmtp(answerToRecipient: string, answerToMail = '250 taken') {
  const mails: string[] = []
  const talk = (socket: Socket) => {
    let data: string | undefined
    socket.write('220 test\r\n')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      for (const line of chunk.split(/(?<=\r\n)/)) {
        if (data !== undefined && line === '.\r\n') {
          mails.push(data)
          data = undefined
          socket.write(`${answerToMail}\r\n`)
        } else if (data !== undefined) data += line
        else if (line.startsWith('DATA')) {
          data = ''
          socket.write('354 go on\r\n')
        } else if (line.startsWith('RCPT')) socket.write(`${answerToRecipient}\r\n`)
        else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  }
  const server = createServer(talk)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const mailer = openMailer(
    { ...config, SMTP_URL: `smtp://127.0.0.1:${port}`, DATA_DIR: '/nowhere' },
    { info: () => {} },
  )
  if (!mailer) throw new Error('no mailer')
  return { mailer, mails }
}

it('with SMTP a mail goes to the server', async () => {
  const { mailer, mails } = await startSmtp('250 ok')
  await mailer.send({ ...mail, requestedBy: 'old@example.com' })
  expect(mails).toEqual([expect.stringMatching(/^From: Media <no-reply@example.com>\r\nTo: ada@example.com\r\n/m)])
  expect(mails.join()).not.toContain('old@example.com')
})

it('a permanently refused address is distinguished from a busy server', async () => {
  const refused = (await startSmtp('550 unknown')).mailer.send(mail)
  await expect(refused).rejects.toThrow(MailRefusedError)
  const later = (await startSmtp('450 busy')).mailer.send(mail)
  await expect(later).rejects.not.toThrow(MailRefusedError)
})

it('a mail that the server refuses after it has read it is not sent again', async () => {
  await expect((await startSmtp('250 ok', '554 no')).mailer.send(mail)).rejects.toThrow(MailRefusedError)
  const later = (await startSmtp('250 ok', '451 busy')).mailer.send(mail)
  await expect(later).rejects.not.toThrow(MailRefusedError)
})
