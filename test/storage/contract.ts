import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { ObjectExistsError, ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'

export interface OpenedStorage {
  /** Its signed URLs are answered over HTTP until `close`. */
  readonly storage: Storage
  readonly close: () => Promise<void>
}

/** Capabilities that an emulator of a storage service may lack. */
type Capability =
  | 'creates once'
  | 'says what has arrived'
  | 'takes one signed PUT'
  | 'presents as signed'
  | 'compares ETags'

/** The contract of every implementation of Storage. A missing capability has a reason, which its tests name. */
export function storageContract(
  name: string,
  open: () => Promise<OpenedStorage>,
  lacking: Partial<Record<Capability, string>> = {},
): void {
  const itWhere = (capability: Capability, title: string, test: () => Promise<void>) => {
    const reason = lacking[capability]
    return it.skipIf(reason)(reason ? `${title} (skipped: ${reason})` : title, test)
  }

  describe(`${name} storage`, () => {
    let opened: OpenedStorage
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => opened.close())

    const newKey = () => `contract/${newId('out')}/clip.mp4`
    const write = async (key: string, body: string | Buffer, contentType = 'video/mp4') =>
      opened.storage.write(key, Readable.from([body]), contentType)
    const create = async (key: string, body: string) => opened.storage.create(key, Readable.from([body]), 'video/mp4')
    const readText = async (key: string, options?: Parameters<Storage['read']>[1]) =>
      text(await opened.storage.read(key, options))
    const put = async (key: string, body: string, maxBytes = 1_000_000) => {
      const { url, headers } = await opened.storage.presignPut({
        key,
        contentType: 'video/mp4',
        maxBytes,
        expiresInSeconds: 60,
      })
      return fetch(url, { method: 'PUT', headers, body })
    }
    const presignedGet = async (key: string, asAttachment = false) =>
      (
        await opened.storage.presignGet({
          key,
          contentType: 'video/mp4',
          fileName: 'my clip.mp4',
          expiresInSeconds: 60,
          asAttachment,
        })
      ).url

    describe('write and read', () => {
      it('returns the bytes and describes them', async () => {
        const key = newKey()
        const bytes = randomBytes(300_000)
        const written = await write(key, bytes)
        expect(written).toMatchObject({ key, bytes: bytes.length, contentType: 'video/mp4' })
        expect(await opened.storage.stat(key)).toEqual(written)
        expect(bytes.equals(await buffer(await opened.storage.read(key)))).toBe(true)
      })

      it('stores an empty object', async () => {
        const key = newKey()
        expect(await opened.storage.write(key, Readable.from([]), 'video/mp4')).toMatchObject({ bytes: 0 })
        expect(await readText(key)).toBe('')
      })

      it.each([
        [{ start: 2, end: 4 }, '234'],
        [{ start: 7 }, '789'],
        [{ end: 2 }, '012'],
        [{ start: 5, end: 99 }, '56789'],
      ])('reads %j', async (range, expected) => {
        const key = newKey()
        await write(key, '0123456789')
        expect(await readText(key, range)).toBe(expected)
      })

      it('has no object under an unwritten key', async () => {
        const key = newKey()
        expect(await opened.storage.stat(key)).toBeUndefined()
        await expect(opened.storage.read(key)).rejects.toThrow(ObjectNotFoundError)
      })

      it('replaces an object with a new generation and ETag', async () => {
        const key = newKey()
        const first = await write(key, 'first')
        const second = await write(key, 'second', 'audio/mpeg')
        expect(second.generation).not.toBe(first.generation)
        expect(second.etag).not.toBe(first.etag)
        expect(await opened.storage.stat(key)).toEqual(second)
        expect(await readText(key, { generation: second.generation })).toBe('second')
        await expect(opened.storage.read(key, { generation: first.generation })).rejects.toThrow(ObjectNotFoundError)
      })

      it('shows readers only whole objects while one is replaced', async () => {
        const key = newKey()
        const bodies = ['a', 'b', 'c'].map((letter) => letter.repeat(50_000))
        await write(key, 'a'.repeat(50_000))
        const writes = Promise.all(bodies.map((body) => write(key, body)))
        const reads = await Promise.all(Array.from({ length: 30 }, () => readText(key)))
        await writes
        for (const body of [...reads, await readText(key)]) expect(bodies).toContain(body)
      })

      it('keeps the old object when a write breaks off, and rethrows the error', async () => {
        const key = newKey()
        await write(key, 'first')
        const broken = Readable.from(
          (async function* () {
            yield 'half'
            throw new Error('the source broke')
          })(),
        )
        await expect(opened.storage.write(key, broken, 'video/mp4')).rejects.toThrow('the source broke')
        expect(await readText(key)).toBe('first')
      })

      it('is done with a chunk before it asks for the next one, and closes the source', async () => {
        const key = newKey()
        let isClosed = false
        const source = async function* (chunks: number) {
          const buffer = Buffer.alloc(100_000)
          try {
            for (let chunk = 0; chunk < chunks; chunk++) yield buffer.fill(chunk)
            if (chunks > 200) throw new Error('the source broke')
          } finally {
            isClosed = true
          }
        }
        await opened.storage.write(key, source(200), 'video/mp4')
        const bytes = await buffer(await opened.storage.read(key))
        const expected = Array.from({ length: 200 }, (_, chunk) => Buffer.alloc(100_000, chunk))
        expect([bytes.equals(Buffer.concat(expected)), isClosed]).toEqual([true, true])
        isClosed = false
        await expect(opened.storage.write(key, source(201), 'video/mp4')).rejects.toThrow('the source broke')
        expect([(await opened.storage.stat(key))?.bytes, isClosed]).toEqual([20_000_000, true])
      })

      it('leaves no object after an aborted write', async () => {
        const key = newKey()
        const abort = new AbortController()
        const endless = Readable.from(
          (async function* () {
            for (let chunk = 0; ; chunk++) {
              await setImmediate()
              if (chunk === 20) abort.abort()
              yield 'x'.repeat(1000)
            }
          })(),
        )
        await expect(opened.storage.write(key, endless, 'video/mp4', abort.signal)).rejects.toThrow(/abort/i)
        expect(await opened.storage.stat(key)).toBeUndefined()
      })

      it('writes nothing if the signal is already aborted', async () => {
        const key = newKey()
        const written = opened.storage.write(key, Readable.from(['x']), 'video/mp4', AbortSignal.abort())
        await expect(written).rejects.toThrow(/abort/i)
        expect(await opened.storage.stat(key)).toBeUndefined()
      })
    })

    describe('create', () => {
      itWhere('creates once', 'keeps the first object', async () => {
        const key = newKey()
        await create(key, 'first')
        await expect(create(key, 'second')).rejects.toThrow(ObjectExistsError)
        expect(await readText(key)).toBe('first')
      })

      itWhere('creates once', 'lets one of many at once win, and that one says so', async () => {
        const key = newKey()
        const bodies = Array.from({ length: 8 }, (_, index) => `body ${index}`)
        const results = await Promise.allSettled(bodies.map((body) => create(key, body)))
        const won = bodies.filter((_, index) => results[index]?.status === 'fulfilled')
        expect(won).toHaveLength(1)
        expect(await readText(key)).toBe(won[0])
      })
    })

    describe('delete', () => {
      it('removes one object, and accepts an unknown key', async () => {
        const key = newKey()
        await write(key, 'x')
        await opened.storage.delete(key)
        await opened.storage.delete(key)
        expect(await opened.storage.stat(key)).toBeUndefined()
      })

      it('removes the objects under a prefix and no others', async () => {
        const folder = `contract/${newId('job')}`
        const inside = [`${folder}/1/a.mp4`, `${folder}/1/b/c.mp4`]
        const beside = [`${folder}/10/a.mp4`, `${folder}/2/a.mp4`, `${folder}/1`]
        await Promise.all([...inside, ...beside].map((key) => write(key, 'x')))
        await opened.storage.deleteUnder(`${folder}/1`)
        await opened.storage.deleteUnder(`${folder}/none`)
        for (const key of inside) expect(await opened.storage.stat(key)).toBeUndefined()
        for (const key of beside) expect(await opened.storage.stat(key)).toBeDefined()
      })

      it('allows creating the key again', async () => {
        const key = newKey()
        await create(key, 'first')
        await opened.storage.delete(key)
        await create(key, 'second')
        expect(await readText(key)).toBe('second')
      })
    })

    it.each([
      '',
      '/',
      'a//b',
      '../a',
      'a/../b',
      'a/./b',
      '/a',
      'a/',
      'a~',
      '.temp/a',
      'a b',
      'a\0',
      'ä',
      'a\\b',
      'x'.repeat(201),
    ])('refuses the key %j everywhere', async (key) => {
      const { storage } = opened
      await expect(write(key, 'x')).rejects.toThrow(TypeError)
      await expect(create(key, 'x')).rejects.toThrow(TypeError)
      await expect(storage.stat(key)).rejects.toThrow(TypeError)
      await expect(storage.read(key)).rejects.toThrow(TypeError)
      await expect(storage.delete(key)).rejects.toThrow(TypeError)
      await expect(storage.deleteUnder(key)).rejects.toThrow(TypeError)
      await expect(
        storage.presignPut({ key, contentType: 'video/mp4', maxBytes: 1, expiresInSeconds: 1 }),
      ).rejects.toThrow(TypeError)
      await expect(presignedGet(key)).rejects.toThrow(TypeError)
    })

    it('answers a ping', async () => {
      await expect(opened.storage.ping()).resolves.toBeUndefined()
    })

    describe('presigned PUT', () => {
      it('stores the body under the signed type', async () => {
        const key = newKey()
        expect((await put(key, 'uploaded')).status).toBe(200)
        expect(await opened.storage.stat(key)).toMatchObject({ bytes: 8, contentType: 'video/mp4' })
        expect(await readText(key)).toBe('uploaded')
      })

      itWhere('takes one signed PUT', 'writes once', async () => {
        const key = newKey()
        await put(key, 'first')
        expect([409, 412]).toContain((await put(key, 'second')).status)
        expect(await readText(key)).toBe('first')
      })

      const part = 256 * 1024
      const openSession = async (key: string, maxBytes: number) => {
        const session = { key, contentType: 'video/mp4', maxBytes, expiresInSeconds: 60 }
        const { url } = await opened.storage.presignSession(session)
        return async (range: string, body: Buffer | null) => {
          const headers = { 'content-range': `bytes ${range}/${maxBytes}` }
          const { status, headers: told } = await fetch(url, { method: 'PUT', headers, body, redirect: 'manual' })
          return status === 308 ? [308, told.get('range')] : [status]
        }
      }

      it('takes an object in parts', async () => {
        const key = newKey()
        const bytes = randomBytes(part + 10)
        const send = await openSession(key, bytes.length)
        expect(await send(`0-${part - 1}`, bytes.subarray(0, part))).toEqual([308, `bytes=0-${part - 1}`])
        expect(await opened.storage.stat(key)).toBeUndefined()
        expect([[200], [201]]).toContainEqual(await send(`${part}-${bytes.length - 1}`, bytes.subarray(part)))
        expect(bytes.equals(await buffer(await opened.storage.read(key)))).toBe(true)
      })

      itWhere('says what has arrived', 'says what has arrived of an object in parts', async () => {
        const send = await openSession(newKey(), part + 10)
        expect(await send('*', null)).toEqual([308, null])
        await send(`0-${part - 1}`, randomBytes(part))
        expect(await send('*', null)).toEqual([308, `bytes=0-${part - 1}`])
      })

      itWhere('takes one signed PUT', 'lets one of several at once win', async () => {
        const key = newKey()
        const bodies = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000))
        const statuses = (await Promise.all(bodies.map((body) => put(key, body)))).map(({ status }) => status)
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        expect(await readText(key)).toBe(bodies[statuses.indexOf(200)])
      })

      it('expires at its time', async () => {
        const { expiresAt } = await opened.storage.presignPut({
          key: newKey(),
          contentType: 'video/mp4',
          maxBytes: 1,
          expiresInSeconds: 900,
        })
        expect(Math.abs(expiresAt.getTime() - Date.now() - 900_000)).toBeLessThan(5000)
      })
    })

    describe('presigned GET', () => {
      it('serves the bytes with an ETag', async () => {
        const key = newKey()
        await write(key, '0123456789')
        const answer = await fetch(await presignedGet(key))
        expect(answer.status).toBe(200)
        expect(answer.headers.get('etag')).toMatch(/^".+"$/)
        expect(await answer.text()).toBe('0123456789')
      })

      itWhere('presents as signed', 'serves them under the signed type and name', async () => {
        const key = newKey()
        await write(key, 'x', 'audio/mpeg')
        const { headers } = await fetch(await presignedGet(key))
        expect(headers.get('content-type')).toBe('video/mp4')
        expect(headers.get('content-disposition')).toContain('my clip.mp4')
      })

      itWhere('presents as signed', 'saves them under that name where an attachment is asked for', async () => {
        const key = newKey()
        await write(key, 'x')
        const url = await presignedGet(key, true)
        expect((await fetch(url)).headers.get('content-disposition')).toBe('attachment; filename="my clip.mp4"')
        expect(opened.storage.objectOf(new URL(url))).toEqual({ key, status: 'valid' })
      })

      it('serves a range', async () => {
        const key = newKey()
        await write(key, '0123456789')
        const answer = await fetch(await presignedGet(key), { headers: { range: 'bytes=2-4' } })
        expect(answer.status).toBe(206)
        expect(answer.headers.get('content-range')).toBe('bytes 2-4/10')
        expect(await answer.text()).toBe('234')
      })

      itWhere('compares ETags', 'answers 304 to the ETag that it gave', async () => {
        const key = newKey()
        await write(key, 'x')
        const url = await presignedGet(key)
        const etag = (await fetch(url)).headers.get('etag') ?? ''
        expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
      })

      it('answers 404 for an unknown object', async () => {
        expect((await fetch(await presignedGet(newKey()))).status).toBe(404)
      })
    })

    describe('the object of a URL', () => {
      it('is the signed one until the URL expires', async () => {
        const key = newKey()
        const url = new URL(await presignedGet(key))
        expect(opened.storage.objectOf(url)).toEqual({ key, status: 'valid' })
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
        try {
          expect(opened.storage.objectOf(url)).toEqual({ key, status: 'expired' })
        } finally {
          vi.useRealTimers()
        }
      })

      it('is not trusted without a signature', async () => {
        const key = newKey()
        const url = new URL(await presignedGet(key))
        url.search = ''
        expect(opened.storage.objectOf(url)).toEqual({ key, status: 'altered' })
      })

      it('is undefined for any other address', async () => {
        const url = new URL(await presignedGet(newKey()))
        const others = [
          `https://example.com${url.pathname}${url.search}`,
          `${url.origin}/x${url.pathname}${url.search}`,
        ]
        for (const other of others) expect(opened.storage.objectOf(new URL(other))).toBeUndefined()
      })
    })
  })
}
