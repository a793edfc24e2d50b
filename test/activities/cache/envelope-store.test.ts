import { expect, it, vi } from 'vitest'
import { createEnvelopeCache } from '../../../activities/cache/envelope-store.ts'
import type { Envelope } from '../../../src/media/sound/envelope.ts'

/** Of 2,400 bytes. */
function envelope(startMs: number): Envelope {
  const length = 1_000
  const values = { peaks: new Uint16Array(length), squares: new Float32Array(length / 10) }
  return { startMs, endMs: startMs + length, sampleRate: 8_000, frames: 8_000, ...values }
}

it('loads once for all who ask at once, and again only when others took the room', async () => {
  const cache = createEnvelopeCache(5_000)
  const load = vi.fn(async () => envelope(0))
  const [first, second] = await Promise.all([cache.get('a', load), cache.get('a', load)])
  expect(second).toBe(first)
  expect(await cache.get('a', load)).toBe(first)
  expect(load).toHaveBeenCalledTimes(1)

  await cache.get('b', async () => envelope(1))
  await cache.get('a', load)
  await cache.get('c', async () => envelope(2))
  expect(await cache.get('a', load)).toBe(first)
  const loadAgain = vi.fn(async () => envelope(1))
  await cache.get('b', loadAgain)
  expect(loadAgain).toHaveBeenCalledTimes(1)
})

it('keeps no failure', async () => {
  const cache = createEnvelopeCache(5_000)
  const failing = async () => {
    throw new Error('gone')
  }
  await expect(cache.get('a', failing)).rejects.toThrow('gone')
  expect(await cache.get('a', async () => envelope(0))).toMatchObject({ startMs: 0 })
})
