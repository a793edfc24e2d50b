import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendOnce } from '../../web/src/api/send-once.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => vi.useRealTimers())

describe('a request that costs', () => {
  const body = JSON.stringify({ endpoint: 'audio/detect-silence', media_url: 'https://media.test/a.wav' })
  const other = JSON.stringify({ endpoint: 'audio/detect-silence', media_url: 'https://media.test/b.wav' })

  /** Sends requests to a service that ends each of them so, and returns their Idempotency-Keys. */
  async function keysOf(
    ends: readonly (Response | Error)[],
    requests: readonly (readonly [string, string])[],
    waitMs = 2_000,
  ) {
    const keys: (string | null)[] = []
    const send = sendOnce(async ({ headers }) => {
      const end = ends[keys.push(headers.get('idempotency-key')) - 1] ?? new Response('{}')
      if (end instanceof Error) throw end
      return end
    })
    for (const [path, text] of requests) {
      const request = new Request(`http://service.test${path}`, { method: 'POST', body: text })
      await send(request).catch(() => undefined)
      vi.advanceTimersByTime(waitMs)
    }
    return keys
  }

  it('has the key of the click before it, after a success too', async () => {
    const twice = Array.from({ length: 2 }, () => ['/v1/jobs', body] as const)
    const [first, second] = await keysOf([], twice, 500)
    expect(second).toBe(first)
  })

  it('keeps the key of a lost answer, although clicks before it were double', async () => {
    const clicks = Array.from({ length: 4 }, () => ['/v1/jobs', body] as const)
    const done = new Response('{}')
    const [, double, lost, again] = await keysOf([done, done.clone(), new TypeError('Failed to fetch')], clicks, 510)
    expect(lost).not.toBe(double)
    expect(again).toBe(lost)
  })

  const broken = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('The connection broke.')) }))

  it.each([
    ['no answer', new TypeError('Failed to fetch')],
    ['a part of its answer', broken()],
    ['the answer of a proxy', new Response('Bad gateway', { status: 502 })],
    ['a refusal', new Response('{"error":{"code":"rate_limited"}}', { status: 429 })],
  ])(
    'has the key of the first try when it is sent again after %s, and another one after its success',
    async (_, end) => {
      const [lost, again, next] = await keysOf(
        [end],
        Array.from({ length: 3 }, () => ['/v1/jobs', body] as const),
      )
      expect(lost).toMatch(/^[\x21-\x7e]{20,255}$/)
      expect(again).toBe(lost)
      expect(next).not.toBe(lost)
    },
  )

  it('shares its key with no other request', async () => {
    const lost = new TypeError('Failed to fetch')
    const runs = (chain: string) => [`/v1/workflows/${chain}/runs`, body] as const
    const requests = [['/v1/jobs', body], ['/v1/jobs', other], runs('clean-speech'), runs('remove-dead-space')] as const
    const keys = await keysOf([lost, lost, lost, lost], requests)
    expect(new Set(keys).size).toBe(4)
  })

  it.each([
    ['/v1/jobs', true],
    ['/v1/workflows/clean-speech/runs', true],
    ['/v1/batches', true],
    ['/v1/directives', true],
    ['/v1/jobs/job_1/preview', false],
    ['/v1/estimate', false],
    ['/api/auth/sign-in/email', false],
  ])('to %s has a key: %s', async (path, hasKey) => {
    const [key] = await keysOf([], [[path, body]])
    expect(key !== null).toBe(hasKey)
  })
})
