import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediaPort, type SharedService, useSharedService } from './shared-service.ts'

const speech = path.resolve('test/fixtures/speech.wav')
let service: SharedService
let server: Server
let host: string
const hits = new Map<string, number>()

beforeAll(async () => {
  const port = mediaPort('sources')
  host = `127.0.0.1:${port}`
  server = createServer((request, response) => {
    const route = request.url ?? '/'
    const hit = (hits.get(route) ?? 0) + 1
    hits.set(route, hit)
    if (route === '/flaky.wav' && hit < 3) return void response.writeHead(503).end()
    if (route === '/reset.wav' && hit < 2) return void request.socket.destroy()
    if (route.startsWith('/drip')) return drip(response)
    if (route === '/missing.wav') return void response.writeHead(404).end()
    if (route === '/inward.wav') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    if (route === '/text.mp4') return void response.end('This is no film.')
    createReadStream(speech).pipe(response)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  service = await useSharedService()
})

afterAll(async () => {
  server.close()
})

/** Sends bytes slowly until the client disconnects. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 500)
  response.once('close', () => clearInterval(timer))
}

async function end(media_url: string) {
  const { id } = await service.client.create({ endpoint: 'audio/detect-silence', media_url, end: 5 })
  return service.client.ended(id)
}

describe('a job on a URL', () => {
  it('reads the media through HTTP', async () => {
    expect(await end(`http://${host}/speech.wav`)).toMatchObject({ status: 'completed' })
  })

  it.each(['/flaky.wav', '/reset.wav'])('continues after transient failures of %s', async (route) => {
    expect(await end(`http://${host}${route}`)).toMatchObject({ status: 'completed' })
    expect(hits.get(route)).toBeGreaterThan(1)
  })

  it('that downloads slowly blocks no other job from the cores', async () => {
    const slow = Array.from({ length: 12 }, (_, index) => `http://${host}/drip-${index}.wav`)
    for (const media_url of slow) await service.client.create({ endpoint: 'audio/detect-silence', media_url })
    // The account's share of the slots, which is more than there are cores.
    await expect.poll(() => service.db.job.count({ where: { status: 'running', mediaUrl: { in: slow } } })).toBe(8)
    expect(await service.db.job.count({ where: { status: 'queued', mediaUrl: { in: slow } } })).toBe(4)
    const other = await service.newAccount()
    const media_url = await other.client.upload(speech)
    const { id } = await other.client.create({ endpoint: 'audio/detect-silence', media_url, end: 5 })
    expect(await other.client.ended(id)).toMatchObject({ status: 'completed' })
    for (const { id: jobId } of await service.db.job.findMany({ where: { mediaUrl: { in: slow } } })) {
      await service.client.send('POST', `/v1/jobs/${jobId}/cancel`)
    }
  })

  it.each([
    ['/missing.wav', 'media_unreachable'],
    ['/inward.wav', 'media_blocked'],
    ['/text.mp4', 'unsupported_file_type'],
  ])('fails at once on %s with %s, and costs nothing', async (route, code) => {
    const job = await end(`http://${host}${route}`)
    expect(job).toMatchObject({ status: 'failed', error: { code }, final_price_usd: 0 })
    expect(hits.get(route)).toBe(1)
  })

  it.each([
    'http://127.0.0.1/a.mp4',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/a.mp4',
    'http://192.168.1.1/a.mp4',
    'http://172.16.0.1/a.mp4',
    'http://[::ffff:127.0.0.1]/a.mp4',
    'http://[::1]/a.mp4',
    'http://2130706433/a.mp4',
    'http://0x7f.1/a.mp4',
    'http://localhost/a.mp4',
    `http://127.0.0.1:${1}/a.mp4`,
  ])('is refused at once from %s', async (url) => {
    const { status, body } = await service.client.send('POST', '/v1/jobs', {
      endpoint: 'audio/detect-silence',
      media_url: url,
    })
    expect([status, body]).toMatchObject([400, { error: { code: 'invalid_request' } }])
  })

  it('never shows the URL to Temporal', async () => {
    const secret = 'signature-that-nobody-may-see'
    const job = await end(`http://${host}/speech.wav?sig=${secret}`)
    const { Client, Connection } = await import('@temporalio/client')
    const connection = await Connection.connect({ address: service.environment.TEMPORAL_ADDRESS ?? '' })
    const client = new Client({ connection, namespace: service.environment.TEMPORAL_NAMESPACE ?? '' })
    const handle = client.workflow.getHandle(job.id)
    const history = JSON.stringify(await handle.fetchHistory())
    await connection.close()
    const payloads = [...history.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    )
    expect(payloads.join('\n')).toContain(job.id)
    expect(history + payloads.join('\n')).not.toContain(secret)
  })
})
