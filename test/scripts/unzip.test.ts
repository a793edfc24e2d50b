import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { unzip } from '../../scripts/setup/unzip.ts'

test('stored and deflated entries come out as they went in', () => {
  const text = 'a'.repeat(1000)
  const file = zipFile({
    'bin/stored': { text, method: 0 },
    other: { text: 'x', method: 0 },
    'bin/packed': { text, method: 8 },
  })

  const entries = unzip(file, ['bin/packed', 'bin/stored'])

  expect([...entries.keys()].sort()).toEqual(['bin/packed', 'bin/stored'])
  expect(entries.get('bin/packed')?.toString()).toBe(text)
  expect(entries.get('bin/stored')?.toString()).toBe(text)
})

test('a missing entry is an error that names it', () => {
  expect(() => unzip(zipFile({ here: { text: '', method: 0 } }), ['gone'])).toThrow(/holds no gone$/)
})

test('a file that is no zip file is an error', () => {
  expect(() => unzip(temporaryFile(Buffer.from('a web page that says 404')), ['x'])).toThrow(/is not a zip file$/)
})

function zipFile(contents: Readonly<Record<string, { text: string; method: 0 | 8 }>>): string {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, { text, method }] of Object.entries(contents)) {
    const data = method === 8 ? deflateRawSync(text) : Buffer.from(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(data.length, 20)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), data)
    directory.push(central, Buffer.from(name))
    offset += local.length + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(contents).length, 10)
  end.writeUInt32LE(offset, 16)
  return temporaryFile(Buffer.concat([...parts, ...directory, end]))
}

function temporaryFile(content: Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'unzip-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'a.zip')
  writeFileSync(file, content)
  return file
}
