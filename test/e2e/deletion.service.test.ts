import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../scripts/client.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { randomText } from '../../src/core/ids.ts'
import { tracesInDatabase, tracesInFiles } from '../accounts/traces.ts'
import { readHistories } from '../setup/secrets.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { type Service, startService } from './service.ts'

let needle: string
let email: string
let password: string
let service: Service
let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let cookie = ''
beforeEach(async () => {
  needle = `needle${randomText(16).toLowerCase()}`
  email = `${needle}@example.com`
  password = `correct ${randomText(12)}`
  cookie = ''
  receiver = await startReceiver()
  service = await startService({ WEBHOOK_ALLOW_HOSTS: receiver.host }, { upkeepEverySeconds: 2 })
  folder = await mkdtemp(path.join(tmpdir(), 'media '))
})
afterEach(async () => {
  await service.stop()
  receiver.stop()
  await rm(folder, { recursive: true, force: true })
})

const send = async (method: string, url: string, body?: object) => {
  const response = await fetch(`${service.baseUrl}${url}`, {
    method,
    headers: { origin: service.baseUrl, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  cookie =
    response.headers
      .getSetCookie()
      .find((set) => set.includes('session_token='))
      ?.split(';', 1)[0] ?? cookie
  return z.record(z.string(), z.unknown()).parse(await response.json())
}

/** Signs up, confirms the address by the mail, and signs in. Returns the account's id and a key. */
async function signUp(): Promise<{ accountId: string; secret: string }> {
  await send('POST', '/api/auth/sign-up/email', { email, password })
  const mails = path.join(service.dataDir, 'mail')
  const mail = await vi.waitUntil(async () => {
    const [name] = await readdir(mails).catch(() => [])
    return name && (await readFile(path.join(mails, name), 'utf8'))
  }, 60_000)
  await send('POST', '/api/auth/verify-email', { token: /verify-email\?token=(\S+)/.exec(mail)?.[1], password })
  const { account_id: accountId } = await send('POST', '/api/auth/sign-in/email', { email, password })
  const { secret } = await send('POST', '/v1/keys', { name: needle })
  return { accountId: String(accountId), secret: String(secret) }
}

/** Whether a statement waits to delete the row of an output. Others may wait too: the job that runs meanwhile locks its account. */
async function isDeletingOutput(): Promise<boolean> {
  const waiting = await service.db.$queryRaw<{ query: string }[]>`
    SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return waiting.some(({ query }) => /^DELETE FROM \S*"outputs"/.test(query))
}

/** What is left of a deleted account: its own row, and rows of its jobs and uploads with what keeps them. */
async function notErased(accountId: string): Promise<object[]> {
  const where = { accountId, erasedAt: null }
  const jobs = { id: true, status: true, endedAt: true, cancelRequestedAt: true, staged: { select: { folder: true } } }
  return [
    ...(await service.db.account.findMany({ where: { id: accountId, erasedAt: null }, select: { id: true } })),
    ...(await service.db.job.findMany({ where, select: jobs })),
    ...(await service.db.upload.findMany({ where, select: { id: true, deletedAt: true } })),
  ]
}

/** The part of a key that is secret. */
const lastPartOf = (secret: string) => secret.split('_').at(-1) ?? secret

it('an account whose deletion was killed is erased by upkeep, down to logs, mails and histories', async () => {
  const { db, dataDir, environment } = service
  const { accountId, secret } = await signUp()
  const client = createClient(service.baseUrl, secret)
  // A box that players skip, with the needle as the media's bytes.
  const box = Buffer.concat([Buffer.from([0, 0, 0, 8 + needle.length]), Buffer.from(`free${needle}`)])
  const file = path.join(folder, `${needle}.mp4`)
  await writeFile(file, Buffer.concat([await readFile('test/fixtures/film.mp4'), box]))
  const media = await client.upload(file)
  for (const body of [{ endpoint: 'audio/detect-silence' }, { endpoint: 'video/clip-window', end: 2 }]) {
    const { id } = await client.create({ ...body, media_url: media, metadata: { title: needle } })
    expect((await client.ended(id)).status).toBe('completed')
  }
  await client.create({ endpoint: 'video/clip-window', media_url: media, start: 0, metadata: { title: needle } })
  expect((await tracesInFiles(dataDir, [needle])).length).toBeGreaterThan(1)

  // The request is killed while it waits to delete the row of an output whose object it has deleted.
  await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT FROM outputs WHERE job_id IN (SELECT id FROM jobs WHERE account_id = ${accountId}) FOR UPDATE`
      void send('DELETE', '/v1/account', { password }).catch(() => {})
      await untilFound(isDeletingOutput)
      service.api.child.kill('SIGKILL')
    },
    { timeout: 60_000 },
  )
  expect(await db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({
    deletedAt: expect.any(Date),
    erasedAt: null,
  })
  await expect.poll(() => notErased(accountId), { timeout: 180_000, interval: 200 }).toEqual([])
  // Its start deletes the temporary files of the killed process.
  await service.startApi()

  const needles = [needle, password, lastPartOf(secret)]
  expect(await tracesInDatabase(db, needles)).toEqual([])
  expect(await tracesInFiles(dataDir, needles)).toEqual([])
  expect(await db.stagedFolder.count({ where: { job: { accountId } } })).toBe(0)
  expect(await db.analysis.count({ where: { accountId } })).toBe(0)
  const jobs = await db.job.findMany({ where: { accountId }, select: { id: true } })
  const histories = await readHistories(
    temporalAddress,
    environment['TEMPORAL_NAMESPACE'] ?? '',
    jobs.map(({ id }) => id),
  )
  expect(histories.length).toBeGreaterThanOrEqual(3)
  expect(
    histories.filter(({ text }) => needles.some((each) => text.includes(each))).map(({ source }) => source),
  ).toEqual([])
  expect(await checkLedger(db)).toEqual([])
})

it('an account is erased while its batch runs and a callback waits for its next attempt', async () => {
  const { db } = service
  const { accountId, secret } = await signUp()
  const client = createClient(service.baseUrl, secret)
  const name = path.join(folder, `${needle}.wav`)
  await writeFile(name, await readFile('test/fixtures/speech.wav'))
  const media_url = await client.upload(name)
  receiver.answerWith((response) => response.writeHead(500).end())
  const work = { endpoint: 'audio/detect-silence', metadata: { title: needle } }
  await client.create({ ...work, media_url, callback_url: `${receiver.url}/${needle}` })
  await untilFound(() => receiver.received[0])
  const media_urls = Array.from({ length: 200 }, (_, index) => `${media_url}?copy=${index}`)
  await client.send('POST', '/v1/batches', { ...work, media_urls, cap_usd: 1, name: needle })
  await untilFound(() => db.workflowRun.findFirst({ where: { accountId, endedAt: { not: null } } }))

  await send('DELETE', '/v1/account', { password })
  await expect.poll(() => notErased(accountId), { timeout: 180_000, interval: 200 }).toEqual([])
  const left = { batches: await db.batch.count(), endpoints: await db.webhookEndpoint.count({ where: { accountId } }) }
  expect(left).toEqual({ batches: 0, endpoints: 0 })
  expect(await db.workflowRun.count({ where: { accountId } })).toBeLessThan(200)
  const needles = [needle, password, lastPartOf(secret)]
  await expect.poll(() => tracesInDatabase(db, needles), { timeout: 30_000 }).toEqual([])
  expect(await tracesInFiles(service.dataDir, needles)).toEqual([])
  expect(await checkLedger(db)).toEqual([])
})
