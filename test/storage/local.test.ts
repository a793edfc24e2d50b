import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storageContract } from './contract.ts'
import { type ServedStorage, serveLocalStorage } from './serve-local.ts'

storageContract('local', serveLocalStorage)

describe('local storage on disk', () => {
  let served: ServedStorage
  beforeAll(async () => {
    served = await serveLocalStorage()
  })
  afterAll(async () => served.close())

  const newKey = () => `disk/${newId('out')}`
  const tempFiles = () => readdir(path.join(served.directory, '.temp'))
  const write = (key: string, body: string) => served.storage.write(key, Readable.from([body]), 'video/mp4')
  const reopen = () => openLocalStorage(served)

  it('returns the path of the generation, and none for another generation', async () => {
    const key = newKey()
    const first = await write(key, 'first')
    const file = await served.storage.localPath(key, first.generation)
    expect(file && (await readFile(file, 'utf8'))).toBe('first')
    await write(key, 'second')
    expect(await served.storage.localPath(key, first.generation)).toBeUndefined()
    expect(await served.storage.localPath(newKey(), first.generation)).toBeUndefined()
  })

  it('keeps only the bytes of the current generation', async () => {
    const key = newKey()
    await write(key, 'first')
    const { generation } = await write(key, 'second')
    const files = await readdir(path.join(served.directory, `${key}~`))
    expect(files.toSorted()).toEqual([generation, 'object.json'].toSorted())
  })

  it('keeps no bytes of a refused create', async () => {
    const key = newKey()
    const { generation } = await write(key, 'first')
    await expect(served.storage.create(key, Readable.from(['second']), 'video/mp4')).rejects.toThrow()
    const files = await readdir(path.join(served.directory, `${key}~`))
    expect(files.toSorted()).toEqual([generation, 'object.json'].toSorted())
  })

  it('never mixes what two sessions send of an object', async () => {
    const key = newKey()
    const input = { key, contentType: 'video/mp4', maxBytes: 300_000, expiresInSeconds: 60 }
    const [one, other] = await Promise.all(
      [1, 2].map(async (session) => (await served.storage.presignSession({ ...input, session })).url),
    )
    const put = (url = '', range = '*', body: Buffer | null = null) => {
      const headers = { 'content-range': `bytes ${range}/300000` }
      return fetch(url, { method: 'PUT', headers, body, redirect: 'manual' })
    }
    expect((await put(one, '0-262143', Buffer.alloc(262_144))).headers.get('range')).toBe('bytes=0-262143')
    expect((await put(other)).headers.get('range')).toBeNull()
  })

  it('takes no part of an object that is complete, and discards parts alone', async () => {
    const { parts } = served.storage
    const key = newKey()
    const names = () => readdir(path.join(served.directory, `${key}~`))
    async function* source() {
      yield Buffer.from('part')
    }
    for (const session of [1, 2]) await parts?.append({ key, session }, source(), 0)
    expect((await names()).toSorted()).toEqual(['part', 'part-2'])
    await parts?.discard(key)
    expect(await names()).toEqual([])
    await served.storage.create(key, Readable.from(['whole']), 'video/mp4')
    await expect(parts?.append({ key, session: 2 }, source(), 0)).rejects.toThrow('this object is complete')
    expect((await names()).filter((name) => name.startsWith('part'))).toEqual([])
    await parts?.discard(key)
    expect((await served.storage.stat(key))?.bytes).toBe(5)
    await parts?.discard(newKey())
  })

  it('finds an object that is replaced between look-up and opening', async () => {
    const key = newKey()
    await write(key, 'x')
    let replacing = true
    const replaces = (async () => {
      for (let count = 0; count < 100; count++) await write(key, 'x')
      replacing = false
    })()
    const readers = Array.from({ length: 8 }, async () => {
      while (replacing) expect(await text(await served.storage.read(key))).toBe('x')
    })
    await Promise.all([replaces, ...readers])
  })

  it('lets a reader finish an object that is replaced or deleted meanwhile', async () => {
    const key = newKey()
    await write(key, 'x'.repeat(300_000))
    const reading = await served.storage.read(key)
    await write(key, 'y')
    await served.storage.delete(key)
    expect((await text(reading)).length).toBe(300_000)
  })

  it('keeps objects across a restart', async () => {
    const key = newKey()
    const written = await write(key, 'kept')
    expect(await reopen().stat(key)).toEqual(written)
  })

  it('leaves no temporary file after a write that succeeds, is refused or breaks off', async () => {
    const key = newKey()
    await served.storage.create(key, Readable.from(['x']), 'video/mp4')
    await expect(served.storage.create(key, Readable.from(['y']), 'video/mp4')).rejects.toThrow()
    const broken = new Readable({
      read() {
        this.destroy(new Error('broken'))
      },
    })
    await expect(served.storage.write(key, broken, 'video/mp4')).rejects.toThrow('broken')
    await served.storage.delete(key)
    expect(await tempFiles()).toEqual([])
    expect(await readdir(path.join(served.directory, 'disk'))).not.toContain(path.basename(key))
  })

  it('survives a source that fails before it is read', async () => {
    const source = new Readable({ read() {} })
    const writing = served.storage.write(newKey(), source, 'video/mp4')
    source.destroy(new Error('failed early'))
    await expect(writing).rejects.toThrow('failed early')
  })

  it('deletes temporary files of dead processes at the next start, and keeps those of living ones', async () => {
    const dead = spawn(process.execPath, ['--version'])
    await once(dead, 'exit')
    const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const temp = path.join(served.directory, '.temp')
    const names = {
      dead: `${hostname()}.${dead.pid}.abc`,
      deadFolder: `${hostname()}.${dead.pid}.def`,
      living: `${hostname()}.${living.pid}.abc`,
      own: `${hostname()}.${process.pid}.abc`,
      sameIdBefore: `${hostname()}.${process.pid}.def`,
      otherHost: 'other-host.1.abc',
      otherHostLongAgo: 'other-host.1.def',
    }
    await Promise.all(
      Object.values(names).map((name) =>
        name === names.deadFolder ? mkdir(path.join(temp, name)) : writeFile(path.join(temp, name), 'x'),
      ),
    )
    const longAgo = new Date(Date.now() - 48 * 3_600_000)
    for (const name of [names.sameIdBefore, names.otherHostLongAgo])
      await utimes(path.join(temp, name), longAgo, longAgo)
    try {
      reopen()
      expect((await tempFiles()).toSorted()).toEqual([names.living, names.own, names.otherHost].toSorted())
    } finally {
      living.kill()
      await Promise.all(Object.values(names).map((name) => rm(path.join(temp, name), { force: true, recursive: true })))
    }
  })

  it('follows no symbolic link out of its folder', async () => {
    const outside = path.join(served.directory, '..', `${path.basename(served.directory)}-outside`)
    await mkdir(path.join(outside, 'a~'), { recursive: true })
    await writeFile(
      path.join(outside, 'a~', 'object.json'),
      '{"generation":"g","bytes":1,"contentType":"x","sha256":"x"}',
    )
    await writeFile(path.join(outside, 'a~', 'g'), 'x')
    try {
      await symlink(outside, path.join(served.directory, 'link'))
      await expect(served.storage.stat('link/a')).rejects.toThrow()
      await expect(served.storage.read('link/a')).rejects.toThrow()
      await expect(write('link/b', 'x')).rejects.toThrow()
      await expect(served.storage.delete('link/a')).rejects.toThrow()
      await expect(served.storage.deleteUnder('link')).rejects.toThrow()
      expect(await readdir(outside)).toEqual(['a~'])
    } finally {
      await rm(outside, { recursive: true })
    }
  })

  it('turns a folder that cannot be written into a retryable server_error without a path', async () => {
    const { storage } = served
    const key = newKey()
    await rm(path.join(served.directory, '.temp'), { recursive: true })
    try {
      const failing = storage.write(key, Readable.from(['x']), 'video/mp4')
      await expect(failing).rejects.toMatchObject({ code: 'server_error', retryable: true, cause: { code: 'ENOENT' } })
      await expect(failing).rejects.not.toThrow(served.directory)
      await expect(storage.ping()).rejects.toMatchObject({ code: 'server_error' })
      expect(await storage.stat(key)).toBeUndefined()
    } finally {
      await mkdir(path.join(served.directory, '.temp'))
    }
  })

  // The limit on file sizes makes a write fail halfway, like a full disk.
  it('turns a disk that is full halfway into a retryable server_error and leaves nothing', async () => {
    const script = `
      const { Readable } = await import('node:stream')
      const { openLocalStorage } = await import(${JSON.stringify(new URL('../../src/storage/local/local-storage.ts', import.meta.url).href)})
      const storage = openLocalStorage({ directory: process.argv[1], baseUrls: [''], signer: undefined })
      const source = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(4096)))
      const error = await storage.write('full/a', source, 'video/mp4').catch((error) => error)
      console.log(JSON.stringify([error.code, error.retryable, error.cause?.code, source.destroyed]))
    `
    const child = spawn('/bin/sh', [
      '-c',
      'ulimit -f 64 && exec "$0" --import tsx --input-type=module -e "$1" "$2"',
      process.execPath,
      script,
      served.directory,
    ])
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(errors).toBe('')
    expect(JSON.parse(output)).toEqual(['server_error', true, 'EFBIG', true])
    expect(await tempFiles()).toEqual([])
    expect(await served.storage.stat('full/a')).toBeUndefined()
  })
})
