import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { createSignedUrlCheck } from '../../../api/health/routes.ts'

/** A storage whose URLs contain what was stored, or something else. */
function storageAt(urlOf: (stored: string) => string) {
  const stored: string[] = []
  const check = createSignedUrlCheck({
    write: async (key, source, contentType) => {
      const bytes = stored.push(await text(source))
      return { key, bytes, contentType, generation: '1', etag: '1' }
    },
    presignGet: async () => ({ url: urlOf(stored.at(-1) ?? ''), expiresAt: new Date() }),
    delete: async () => {},
  })
  return { check, stored }
}

it('stores and reads a file at most once in ten seconds, whoever asks', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { check, stored } = storageAt((id) => `data:text/plain,${id}`)
  await Promise.all([check(), check()])
  await check()
  expect(stored).toHaveLength(1)
  vi.advanceTimersByTime(10_001)
  await check()
  expect(stored).toHaveLength(2)
  vi.useRealTimers()
})

it('fails if the URL has something else', async () => {
  const { check } = storageAt(() => 'data:text/plain,other')
  await expect(check()).rejects.toThrow('the URL answered 200')
})
