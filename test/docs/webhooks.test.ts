import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { newWebhookSecret, signatureHeaders } from '../../src/webhooks/secrets.ts'

const example = /```js\n([\s\S]+?)```/.exec(readFileSync('docs/webhooks.md', 'utf8'))?.[1] ?? ''
const verifier = z.object({
  verify: z.custom<(...given: readonly unknown[]) => unknown>((given) => typeof given === 'function'),
})

it('the example of docs/webhooks.md verifies what the service signs, also in a rotation, and nothing else', async () => {
  const { verify } = verifier.parse(await import(`data:text/javascript,${encodeURIComponent(example)}`))
  const [secret, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const body = '{"type":"job.completed","data":{"metadata":{"näme":"日本"}}}'
  const headers = signatureHeaders([secret, previous], { id: 'evt_a', body, at: new Date() })
  expect([verify(body, headers, secret), verify(body, headers, previous)]).toEqual([JSON.parse(body), JSON.parse(body)])
  expect(() => verify(body, headers, other)).toThrow('not signed')
  expect(() => verify(`${body} `, headers, secret)).toThrow('not signed')
  expect(() => verify(body, { ...headers, 'webhook-id': 'evt_b' }, secret)).toThrow('not signed')
  const old = signatureHeaders([secret], { id: 'evt_a', body, at: new Date(Date.now() - 301_000) })
  expect(() => verify(body, old, secret)).toThrow('too old')
})
