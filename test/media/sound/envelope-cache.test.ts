import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { type Envelope, encodeEnvelope } from '../../../src/media/sound/envelope.ts'
import { createEnvelopeCache } from '../../../src/media/sound/envelope-cache.ts'

/** An envelope of 2,400 bytes. */
function envelope(startMs: number): Envelope {
  const length = 1_000
  const values = { peaks: new Uint16Array(length), squares: new Float32Array(length / 10) }
  return { startMs, endMs: startMs + length, sampleRate: 8_000, frames: 8_000, decodeErrors: 0, ...values }
}

/** A storage with one envelope per key, which starts at the key's number. */
function envelopeStorage() {
  return { read: vi.fn(async (key: string) => Readable.from([encodeEnvelope(envelope(Number(key) * 1_000))])) }
}

it('reads an envelope once for simultaneous requests, and again only after its eviction', async () => {
  const storage = envelopeStorage()
  const cache = createEnvelopeCache(storage, 5_000)
  const [first, second] = await Promise.all([cache.fetch('1'), cache.fetch('1')])
  expect(first).toMatchObject({ startMs: 1_000 })
  expect(second).toBe(first)
  expect(await cache.fetch('1')).toBe(first)
  expect(storage.read).toHaveBeenCalledTimes(1)

  await cache.fetch('2')
  await cache.fetch('1')
  await cache.fetch('3')
  expect(await cache.fetch('1')).toBe(first)
  await cache.fetch('2')
  expect(storage.read.mock.calls).toEqual([['1'], ['2'], ['3'], ['2']])
})

it('returns an envelope to all waiters, even if it does not fit into the cache', async () => {
  const cache = createEnvelopeCache(envelopeStorage(), 2_500)
  const found = await Promise.all(['1', '2', '3'].map((key) => cache.fetch(key)))
  expect(found.map((each) => each?.startMs)).toEqual([1_000, 2_000, 3_000])
  expect(await createEnvelopeCache(envelopeStorage(), 1_000).fetch('4')).toMatchObject({ startMs: 4_000 })
})

it('does not cache failures', async () => {
  const storage = envelopeStorage()
  storage.read.mockRejectedValueOnce(new Error('gone'))
  const cache = createEnvelopeCache(storage, 5_000)
  await expect(cache.fetch('1')).rejects.toThrow('gone')
  expect(await cache.fetch('1')).toMatchObject({ startMs: 1_000 })
})
