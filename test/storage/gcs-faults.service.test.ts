import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { openGcsStorage } from '../../src/storage/gcs/gcs-storage.ts'
import { ObjectExistsError, ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import { noGcsEmulator } from '../setup/gcs-emulator.ts'
import { untilFound } from '../until-found.ts'
import { type Fault, type FaultyGcs, type Seen, startFaultyGcs } from './faulty-gcs.ts'

const mebibyte = 1024 ** 2
const limits = { timeoutMs: 20_000, transferTimeoutMs: 20_000, retries: 2, maxDelayMs: 20 }
const hastyLimits = { ...limits, timeoutMs: 500, transferTimeoutMs: 500 }
const skipped = noGcsEmulator ? ` (skipped: ${noGcsEmulator})` : ''

describe.skipIf(noGcsEmulator)(`gcs storage when GCS fails${skipped}`, () => {
  let gcs: FaultyGcs
  let storage: Storage
  /** The same with short time-outs, for tests that wait for them. */
  let hasty: Storage

  beforeAll(async () => {
    gcs = await startFaultyGcs()
    storage = openGcsStorage({ bucket: gcs.bucket, apiEndpoint: gcs.endpoint, limits })
    hasty = openGcsStorage({ bucket: gcs.bucket, apiEndpoint: gcs.endpoint, limits: hastyLimits })
  })
  afterAll(() => gcs.close())
  beforeEach(() => {
    gcs.faultOf = () => undefined
    gcs.seen.length = 0
  })

  const newKey = () => `faults/${newId('out')}/clip.mp4`
  const write = (key: string, body: string | Buffer, signal?: AbortSignal) =>
    storage.write(key, Readable.from([body]), 'video/mp4', signal)
  /** The first `times` requests that match fail. */
  const failing = (times: number, fault: Fault, matches: (request: Seen) => boolean = () => true) => {
    let left = times
    gcs.faultOf = (request) => (matches(request) && left-- > 0 ? fault : undefined)
  }
  const isPut = ({ method }: Seen) => method === 'PUT'
  const isDownload = ({ url }: Seen) => url.searchParams.get('alt') === 'media'

  const calls: Record<string, (on: Storage, key: string) => Promise<unknown>> = {
    stat: (on, key) => on.stat(key),
    read: async (on, key) => text(await on.read(key)),
    write: (on, key) => on.write(key, Readable.from(['second']), 'video/mp4'),
    create: (on, key) => on.create(`${key}-new`, Readable.from(['x']), 'video/mp4'),
    delete: (on, key) => on.delete(key),
    deleteUnder: (on, key) => on.deleteUnder(key.replace('/clip.mp4', '')),
  }

  it.each(Object.keys(calls))('%s goes through after 503 and 429', async (name) => {
    const key = newKey()
    await write(key, 'first')
    const statuses = [503, 429]
    gcs.faultOf = () => {
      const status = statuses.shift()
      return status === undefined ? undefined : { status }
    }
    await calls[name]?.(storage, key)
    expect(statuses).toEqual([])
  })

  it.each([...Object.keys(calls), 'ping'])('%s ends with a retryable server_error when GCS stalls', async (name) => {
    const key = newKey()
    await write(key, 'first')
    gcs.faultOf = () => 'stall'
    const start = performance.now()
    const call = name === 'ping' ? hasty.ping() : calls[name]?.(hasty, key)
    await expect(call).rejects.toMatchObject({ code: 'server_error', retryable: true })
    expect(performance.now() - start).toBeLessThan((hastyLimits.retries + 1) * (hastyLimits.timeoutMs + 1_000))
  })

  it('no message contains a key, a token or a URL', async () => {
    gcs.faultOf = () => ({ status: 503 })
    const error = await storage.stat(newKey()).catch((failure: unknown) => failure)
    expect(String(error)).not.toMatch(/faults|http/)
    const cause = error instanceof Error ? error.cause : undefined
    expect(cause).toMatchObject({ name: 'GcsError', status: 503 })
    expect(Object.keys(cause ?? {}).toSorted()).toEqual(['isPassing', 'name', 'status'])
  })

  it('a refusal is not retried', async () => {
    gcs.faultOf = () => ({ status: 403 })
    await expect(write(newKey(), 'x')).rejects.toMatchObject({ code: 'server_error' })
    expect(gcs.seen).toHaveLength(1)
  })

  describe('an upload of several chunks', () => {
    const whole = randomBytes(20 * mebibyte)
    const stored = async (key: string) => whole.equals(await buffer(await storage.read(key)))
    const ranges = () => gcs.seen.filter(isPut).map(({ headers }) => headers['content-range'])

    it('arrives whole', async () => {
      const key = newKey()
      expect(await write(key, whole)).toMatchObject({ bytes: whole.length, contentType: 'video/mp4' })
      expect(await stored(key)).toBe(true)
      expect(ranges()).toEqual(['bytes 0-8388607/*', 'bytes 8388608-16777215/*', 'bytes 16777216-20971519/20971520'])
    })

    it('sends a lost chunk again', async () => {
      const key = newKey()
      failing(1, { status: 503 }, ({ headers }) => headers['content-range']?.startsWith('bytes 8388608-') ?? false)
      await write(key, whole)
      expect(await stored(key)).toBe(true)
      expect(ranges()).toContain('bytes */*')
    })

    it.each(['bytes 0-', 'bytes 8388608-', 'bytes 16777216-'])(
      'sends %s… no second time when only its answer was lost',
      async (chunk) => {
        const key = newKey()
        failing(1, 'lose', ({ headers }) => headers['content-range']?.startsWith(chunk) ?? false)
        expect(await storage.create(key, Readable.from([whole]), 'video/mp4')).toMatchObject({ bytes: whole.length })
        expect(await stored(key)).toBe(true)
        expect(ranges().filter((range) => range?.startsWith(chunk))).toHaveLength(1)
      },
    )

    it('gives up when GCS makes no progress', async () => {
      const key = newKey()
      gcs.faultOf = (request) => (isPut(request) ? { status: 308 } : undefined)
      await expect(write(key, whole)).rejects.toMatchObject({ code: 'server_error' })
      gcs.faultOf = () => undefined
      expect(await storage.stat(key)).toBeUndefined()
    })
  })

  it('an aborted upload ends immediately, is canceled at GCS, and no object appears', async () => {
    const key = newKey()
    const abort = new AbortController()
    gcs.faultOf = (request) => (isPut(request) ? 'stall' : undefined)
    const writing = write(key, 'x', abort.signal)
    const refused = expect(writing).rejects.toThrow(/abort/i)
    await untilFound(() => gcs.seen.some(isPut))
    const start = performance.now()
    abort.abort()
    await refused
    expect(performance.now() - start).toBeLessThan(limits.timeoutMs)
    expect(gcs.seen.at(-1)?.method).toBe('DELETE')
    expect(await storage.stat(key)).toBeUndefined()
  })

  it('an upload whose bytes changed on the way is an error', async () => {
    failing(1, 'corrupt', isPut)
    await expect(write(newKey(), 'x')).rejects.toMatchObject({
      code: 'server_error',
      cause: { message: expect.stringContaining('damaged') },
    })
  })

  describe('create', () => {
    const isStart = ({ method }: Seen) => method === 'POST'

    it('asks GCS to write only a new key', async () => {
      await storage.create(newKey(), Readable.from(['x']), 'video/mp4')
      expect(gcs.seen.find(isStart)?.url.searchParams.get('ifGenerationMatch')).toBe('0')
      await write(newKey(), 'x')
      expect(gcs.seen.findLast(isStart)?.url.searchParams.has('ifGenerationMatch')).toBe(false)
    })

    it.each([
      ['when it begins', isStart],
      ['when it ends', isPut],
    ])('says that the key is taken when GCS says so %s', async (_when, matches) => {
      failing(1, { status: 412 }, matches)
      await expect(storage.create(newKey(), Readable.from(['x']), 'video/mp4')).rejects.toThrow(ObjectExistsError)
    })
  })

  describe('a download', () => {
    const whole = randomBytes(3 * mebibyte)
    let key: string
    beforeAll(async () => {
      key = newKey()
      await write(key, whole)
    })

    it.each<[string, Fault]>([
      ['breaks', { breakAfterBytes: mebibyte }],
      ['stalls', { stallAfterBytes: mebibyte }],
    ])('that %s goes on where it was', async (_how, fault) => {
      failing(2, fault, isDownload)
      expect(whole.equals(await buffer(await hasty.read(key)))).toBe(true)
      const ranges = gcs.seen.filter(isDownload).map(({ headers }) => headers['range'])
      expect(ranges).toEqual([undefined, `bytes=${mebibyte}-`, `bytes=${2 * mebibyte}-`])
    })

    it('ends at its last byte after a resume', async () => {
      failing(1, { breakAfterBytes: 100 }, isDownload)
      const part = await buffer(await storage.read(key, { start: 1000, end: 1999 }))
      expect(whole.subarray(1000, 2000).equals(part)).toBe(true)
    })

    it('never mixes two generations', async () => {
      const replaced = newKey()
      await write(replaced, whole)
      failing(1, { stallAfterBytes: mebibyte }, isDownload)
      const reading = await hasty.read(replaced)
      await write(replaced, randomBytes(3 * mebibyte))
      await expect(buffer(reading)).rejects.toThrow(ObjectNotFoundError)
    })

    it('waits for a reader that is slower than the limit for GCS', async () => {
      const reading = await hasty.read(key)
      await once(reading, 'readable')
      // Only time distinguishes a slow reader from a stalled download.
      await delay(hastyLimits.transferTimeoutMs + 200)
      expect(whole.equals(await buffer(reading))).toBe(true)
      expect(gcs.seen.filter(isDownload)).toHaveLength(1)
    })

    it('closes only its own connection when its reader leaves', async () => {
      gcs.faultOf = () => ({ stallAfterBytes: mebibyte })
      const [gone, staying] = [await hasty.read(key), await hasty.read(key)]
      gcs.faultOf = () => undefined
      gone.destroy()
      await once(gone, 'close')
      expect(whole.equals(await buffer(staying))).toBe(true)
    })

    it('ends with the reason of the signal', async () => {
      const abort = new AbortController()
      gcs.faultOf = () => ({ stallAfterBytes: mebibyte })
      const reading = await storage.read(key, { signal: abort.signal })
      setImmediate(() => abort.abort())
      await expect(buffer(reading)).rejects.toThrow(/abort/i)
    })

    it('past the end is empty', async () => {
      expect((await buffer(await storage.read(key, { start: whole.length }))).length).toBe(0)
    })

    it('of compressed bytes is refused, so that nothing unpacks to any size', async () => {
      const direct = openGcsStorage({ bucket: gcs.bucket, apiEndpoint: gcs.emulator.endpoint, limits })
      const packed = { key: newKey(), contentType: 'video/mp4', maxBytes: 100, expiresInSeconds: 60 }
      const { url, headers } = await direct.presignPut(packed)
      const body = new Uint8Array(gzipSync('x'.repeat(1000)))
      await fetch(url, { method: 'PUT', headers: { ...headers, 'content-encoding': 'gzip' }, body })
      await expect(direct.read(packed.key)).rejects.toMatchObject({ code: 'unsupported_file_type', retryable: false })
    })
  })
})
