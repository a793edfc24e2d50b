import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { parseWebhookUrl, sendWebhook } from '../../src/webhooks/send-webhook.ts'
import { startReceiver } from './receiver.ts'

const receiver = await startReceiver()
// A service on a private address, to which nobody may make the service send anything.
const canary = await startReceiver()
afterAll(() => {
  receiver.stop()
  canary.stop()
  expect(canary.received).toEqual([])
})

const message = { headers: { 'webhook-id': 'evt_a' }, body: '{"type":"job.completed"}' }
const signal = new AbortController().signal
const send = (url = receiver.url, milliseconds = 60_000) =>
  sendWebhook(new URL(url), { allowHosts: [receiver.host] }, message, signal, milliseconds)

describe('an attempt', () => {
  it('posts the body with its headers, and is delivered by any 2xx', async () => {
    receiver.answerWith((response) => response.writeHead(202).end())
    expect(await send()).toEqual({ status: 202 })
    const { method, headers, body } = receiver.received.at(-1) ?? {}
    expect([method, headers?.['webhook-id'], headers?.['content-length'], body]).toEqual([
      'POST',
      'evt_a',
      '24',
      message.body,
    ])
  })

  it.each([
    [301, { status: 301, failure: 'redirect' }],
    [302, { status: 302, failure: 'redirect' }],
    [303, { status: 303, failure: 'redirect' }],
    [307, { status: 307, failure: 'redirect' }],
    [308, { status: 308, failure: 'redirect' }],
    [400, { status: 400, failure: 'status' }],
    [410, { status: 410, failure: 'status' }],
    [500, { status: 500, failure: 'status' }],
  ])('fails for %i, and follows no redirect', async (status, answer) => {
    receiver.answerWith((response) => response.writeHead(status, { location: canary.url }).end())
    const before = receiver.received.length
    expect(await send()).toEqual(answer)
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(['/hook'])
  })

  it('reads how long the receiver asks to wait', async () => {
    receiver.answerWith((response) => response.writeHead(429, { 'retry-after': '120' }).end())
    expect(await send()).toEqual({ status: 429, failure: 'status', retryAfterMs: 120_000 })
  })

  it('ends after its time, whether the answer does not begin or does not end', async () => {
    receiver.answerWith(() => {})
    expect(await send(receiver.url, 200)).toEqual({ failure: 'timeout' })
    receiver.answerWith((response) => response.writeHead(200).write('a'))
    expect(await send(receiver.url, 200)).toEqual({ status: 200 })
  })

  it.each([
    ['the head', undefined, { failure: 'timeout' }],
    ['the body', 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n', { status: 200 }],
  ])('ends after its time, although the receiver trickles %s of its answer', async (_part, head, answer) => {
    receiver.answerWith(({ socket }) => {
      if (!socket) return
      socket.write(head ?? 'HTTP/1.1 200 OK\r\nx-slow: ')
      const trickle = setInterval(() => socket.write('a'), 20)
      socket.once('close', () => clearInterval(trickle))
    })
    const began = performance.now()
    expect(await send(receiver.url, 300)).toEqual(answer)
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it('reads little of an endless answer', async () => {
    let written = 0
    receiver.answerWith((response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
      }
      response.writeHead(200)
      response.on('drain', write)
      write()
    })
    expect(await send()).toEqual({ status: 200 })
    expect(written).toBeLessThan(16 * 2 ** 20)
  })

  it('fails where nobody listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const address = closed.address()
    const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    closed.close()
    await once(closed, 'close')
    expect(await sendWebhook(new URL(`http://${host}/`), { allowHosts: [host] }, message, signal)).toEqual({
      failure: 'unreachable',
    })
  })
})

const port = canary.host.split(':')[1]

describe('an address that is not public', () => {
  it.each([
    canary.url,
    `https://127.0.0.1:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `http://localhost:${port}/`,
    `http://127.0.0.1.:${port}/`,
    `https://①②⑦.0.0.1:${port}/`,
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:0:7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1%25lo]/',
    'https://[ff02::1]/',
    'https://100.64.0.1/',
    'https://192.0.0.192/',
    'https://168.63.129.16/',
    'https://localhost./',
    'https://receiver.example:443@127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/',
    'https://localhost/',
    'https://printer.local/',
    'https://intranet/',
    'https://user:password@receiver.example/',
    'https://receiver.example:8443/',
    'https://receiver.example:80/',
    'http://receiver.example/',
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'not a url',
  ])('is refused when it is given, and sent nothing: %s', async (url) => {
    expect(() => parseWebhookUrl(url, [], 'url')).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    if (URL.canParse(url))
      expect(await sendWebhook(new URL(url), { allowHosts: [] }, message, signal)).toEqual({ failure: 'blocked' })
    expect(canary.received).toEqual([])
  })

  it.each([
    ['127.0.0.1', 4],
    ['::1', 6],
    ['::ffff:10.0.0.1', 6],
    ['64:ff9b::7f00:1', 6],
    ['fe80::1%lo', 6],
  ] as const)('is refused when a name resolves to it: %s', async (address, family) => {
    const resolveHost = async () => [
      { address: '203.0.113.9', family: 4 },
      { address, family },
    ]
    const url = parseWebhookUrl('https://rebound.example/hook', [], 'url')
    expect(await sendWebhook(url, { allowHosts: [], resolveHost }, message, signal)).toEqual({ failure: 'blocked' })
  })

  it('is asked for once in an attempt, and connected to: no second answer can be another', async () => {
    let asked = 0
    const resolveHost = async () => [{ address: ['127.0.0.1', '127.0.0.2'][asked++] ?? '', family: 4 }]
    receiver.answerWith((response) => response.end())
    const allowed = `rebound.example:${receiver.host.split(':')[1]}`
    const url = new URL(`http://${allowed}/hook`)
    expect(await sendWebhook(url, { allowHosts: [allowed], resolveHost }, message, signal)).toEqual({ status: 200 })
    expect(asked).toBe(1)
  })
})
