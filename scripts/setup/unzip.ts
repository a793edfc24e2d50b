import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50

/** The named entries of a zip file, or an error that says which one is missing. No ZIP64: wheels stay below 4 GiB. */
export function unzip(file: string, names: readonly string[]): Map<string, Buffer> {
  const zip = readFileSync(file)
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end--
  if (end < 0) throw new Error(`${file} is not a zip file`)

  const entries = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === directoryEntry; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (names.includes(name)) entries.set(name, contentOf(zip, at))
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  const missing = names.find((name) => !entries.has(name))
  if (missing !== undefined) throw new Error(`${file} holds no ${missing}`)
  return entries
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10)
  const bytes = zip.readUInt32LE(entry + 20)
  const header = zip.readUInt32LE(entry + 42)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const content = zip.subarray(start, start + bytes)
  if (method === 0) return content
  if (method === 8) return inflateRawSync(content)
  throw new Error(`zip method ${method} is not supported`)
}
