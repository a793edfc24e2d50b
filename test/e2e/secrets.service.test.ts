import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId, randomText } from '../../src/core/ids.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { findSecrets } from '../setup/secrets.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { assertNoSecrets } from './secrets.ts'
import { type Service, startService } from './service.ts'

// Every stack of these tests is searched for secrets when it stops. These tests show that the search finds them.

describe('the search for secrets', () => {
  const secret = 'https://media.example/private/interview.mp4?pass=of-the-owner'
  const namespace = `test-${randomText(8).toLowerCase()}`
  const rows = { mediaUrls: [secret], errors: [], workflowIds: [] }
  let logDir: string
  const search = (more = {}) => assertNoSecrets({ logDir, temporalAddress, namespace, rows, known: [], ...more })

  beforeAll(async () => {
    logDir = await mkdtemp(path.join(tmpdir(), 'logs '))
    await setupTemporal({ TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TLS: false })
  })
  afterAll(() => rm(logDir, { recursive: true }))

  it.each([
    ['a key', `used mt_live_${randomText(24)}_${randomText(43)}`],
    ['a connector token', `used mt_con_${randomText(24)}_${randomText(43)}`],
    ['a signed URL', `PUT /storage/uploads/a?expires=1&signature=${randomText(43)}`],
    ['a signed URL inside another', `next=%2Fstorage%3Fsignature%3D${randomText(43)}`],
    ['a signed URL of a bucket', `https://storage.googleapis.com/b/a?X-Goog-Signature=${randomText(64)}`],
    ['a header', `{"headers":{"authorization":"Bearer ${randomText(20)}"}}`],
    ['a password', '{"body":{"email":"a@b.example","password":"correct horse"}}'],
    ['a password inside a text', String.raw`{"msg":"{\"password\":\"correct horse\"}"}`],
    ['a session', `cookie: session_token=${randomText(32)}`],
    ['a link of a mail', `GET /verify?token=${randomText(24)}`],
    ['a connection', 'DATABASE_PASSWORD=correct-horse'],
  ])('sees %s', (_what, text) => {
    expect(findSecrets([{ source: 'log', text }], []).length).toBeGreaterThan(0)
  })

  it('finds nothing in texts without secrets', () => {
    const text =
      '{"keyId":"key_1","token":"[redacted]","password":null,"msg":"password authentication failed for user"}'
    expect(findSecrets([{ source: 'log', text }], ['https://media.example/a.mp4'])).toEqual([])
  })

  it('finds a media URL in an error', async () => {
    const errors = [{ source: 'error', text: JSON.stringify({ message: `${secret} is gone` }) }]
    await expect(search({ rows: { ...rows, errors } })).rejects.toThrow(/secrets were written down.*a media URL/s)
  })

  it('finds a media URL in a log', async () => {
    await appendFile(path.join(logDir, 'api.log'), `{"msg":"fetching ${secret}"}\n`)
    await expect(search()).rejects.toThrow(/a media URL.*api\.log/s)
  })

  it('finds a media URL in the payload of a workflow', async () => {
    await rm(path.join(logDir, 'api.log'), { force: true })
    const connection = await Connection.connect({ address: temporalAddress })
    const workflowId = newId('job')
    const client = new Client({ connection, namespace })
    await client.workflow.start('mediaJob', { taskQueue: 'nobody', workflowId, args: [{ url: secret }] })
    await connection.close()
    const workflowIds = [workflowId]
    await expect(search({ rows: { ...rows, workflowIds } })).rejects.toThrow(new RegExp(`history of ${workflowId}`))
  })
})

describe('a stack after successes and failures', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'debug' })
  })
  afterAll(() => service.stop())

  it('has none in its logs, errors and histories', async () => {
    const { client, db } = service
    const uploaded = await client.upload(path.resolve('test/fixtures/speech.wav'))
    const ok = await client.ended(
      (await client.create({ endpoint: 'video/clip-window', media_url: uploaded, end: 2 })).id,
    )
    expect(ok.status).toBe('completed')
    const again = { endpoint: 'audio/detect-silence', media_url: ok.result?.['output_url'] }
    expect((await client.ended((await client.create(again)).id)).status).toBe('completed')
    const refused = {
      endpoint: 'audio/detect-silence',
      media_url: 'http://169.254.169.254/private.mp4?token=abcdefgh12345678',
    }
    for (const route of ['/v1/jobs', '/v1/estimate'])
      expect((await client.send('POST', route, refused)).status).toBe(400)
    const missing = { endpoint: 'audio/detect-silence', media_url: 'https://no.invalid/a.mp4?key=a1b2c3d4e5f6' }
    const { id } = await client.create({ ...missing, end: 5 })
    await client.send('POST', '/v1/estimate', missing)
    await client.send('POST', `/v1/jobs/${id}/cancel`)
    expect((await client.ended(id)).status).toBe('failed')
    await fetch(`${service.baseUrl}/v1/jobs?token=abcdefgh12345678`, {
      headers: { authorization: 'Bearer abcdefgh12345678' },
    })

    const searched = await service.searchSecrets()
    expect(searched.histories).toBeGreaterThanOrEqual(await db.job.count({ where: { dispatchedAt: { not: null } } }))
    expect(searched.lines).toBeGreaterThan(20)
    expect(searched.errors).toBeGreaterThanOrEqual(2)
  })
})
