import { z } from 'zod'

const share = z.number().min(0).max(1)
const hex = z.string().regex(/^([0-9a-f]{2})*$/)

/** One change of a file. Places and elements are shares of what the file has, so that each fits every file. */
export const mutation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('write'), at: share, bytes: hex }),
  z.object({ op: z.literal('insert'), at: share, bytes: hex }),
  z.object({ op: z.literal('delete'), at: share, length: z.int().min(0) }),
  z.object({ op: z.literal('repeat'), at: share, length: z.int().min(1), times: z.int().min(1) }),
  z.object({ op: z.literal('truncate'), at: share }),
  z.object({ op: z.literal('element size'), element: share, size: z.string().regex(/^\d+$/) }),
  /** A 32-bit field of the element's content, such as a count, an offset or a duration. */
  z.object({ op: z.literal('element field'), element: share, field: z.int().min(0), value: z.int().min(0) }),
  z.object({ op: z.literal('element copies'), element: share, times: z.int().min(1) }),
  z.object({ op: z.literal('element removed'), element: share }),
  z.object({ op: z.literal('elements swapped'), element: share, other: share }),
])

export type Mutation = z.output<typeof mutation>

/** No mutation makes a file larger: what the service does with large files is another test. */
const maxBytes = 2 * 1024 ** 2

/** The file after the changes, one after the other. */
export function mutate(original: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((bytes, change) => apply(Buffer.from(bytes), change).subarray(0, maxBytes), original)
}

function apply(bytes: Buffer, change: Mutation): Buffer {
  if ('element' in change) return changeElement(bytes, change)
  const at = Math.floor(change.at * bytes.length)
  const splice = (remove: number, ...added: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, at), ...added, bytes.subarray(at + remove)])
  switch (change.op) {
    case 'write': {
      const added = Buffer.from(change.bytes, 'hex')
      return splice(added.length, added)
    }
    case 'insert':
      return splice(0, Buffer.from(change.bytes, 'hex'))
    case 'delete':
      return splice(change.length)
    case 'repeat':
      return splice(0, repeated(bytes.subarray(at, at + change.length), change.times))
    case 'truncate':
      return bytes.subarray(0, at)
  }
}

type ElementMutation = Extract<Mutation, { readonly element: number }>

function changeElement(bytes: Buffer, change: ElementMutation): Buffer {
  const elements = elementsOf(bytes)
  const chosen = chooseElement(elements, change.element)
  if (!chosen) return bytes
  const whole = bytes.subarray(chosen.start, chosen.end)
  const replaced = (...added: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, chosen.start), ...added, bytes.subarray(chosen.end)])
  switch (change.op) {
    case 'element size':
      writeSize(bytes, chosen, BigInt(change.size))
      return bytes
    case 'element field': {
      const at = chosen.contentStart + 4 * change.field
      if (at + 4 <= chosen.end) bytes.writeUInt32BE(change.value % 2 ** 32, at)
      return bytes
    }
    case 'element copies':
      return replaced(whole, repeated(whole, change.times))
    case 'element removed':
      return replaced()
    case 'elements swapped': {
      const other = chooseElement(elements, change.other) ?? chosen
      const [first, second] = chosen.start <= other.start ? [chosen, other] : [other, chosen]
      if (first.end > second.start) return bytes
      return Buffer.concat([
        bytes.subarray(0, first.start),
        bytes.subarray(second.start, second.end),
        bytes.subarray(first.end, second.start),
        bytes.subarray(first.start, first.end),
        bytes.subarray(second.end),
      ])
    }
  }
}

function chooseElement(elements: readonly MediaElement[], at: number): MediaElement | undefined {
  return elements[Math.min(Math.floor(at * elements.length), elements.length - 1)]
}

function repeated(bytes: Buffer, times: number): Buffer {
  const most = Math.max(1, Math.floor(maxBytes / Math.max(1, bytes.length)))
  return Buffer.concat(Array.from({ length: Math.min(times, most) }, () => bytes))
}

/** A part of a media file that states its own size: a box of MP4, an element of EBML, a chunk of RIFF, a page of Ogg. */
interface MediaElement {
  readonly name: string
  readonly kind: 'box' | 'ebml' | 'chunk' | 'page'
  readonly start: number
  /** Where the size is written, and in how many bytes. */
  readonly sizeAt: number
  readonly sizeBytes: number
  readonly contentStart: number
  readonly end: number
}

/** Boxes that contain boxes, and the bytes before the first of them. */
const boxesInside: Readonly<Record<string, number>> = {
  ...{ moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, dinf: 0, edts: 0, udta: 0, mvex: 0, moof: 0, traf: 0 },
  ...{ meta: 4, stsd: 8, dref: 8 },
}
/** Segment, Info, Tracks, TrackEntry, Video, Audio, Cluster, BlockGroup, Cues, CuePoint, its positions, SeekHead, Seek. */
const ebmlInside = new Set(
  '1a45dfa3 18538067 1549a966 1654ae6b ae e0 e1 1f43b675 a0 1c53bb6b bb b7 114d9b74 4dbb'.split(' '),
)

/** The elements of the file in the order of their starts, nested ones after their parent; none for raw streams such as MP3. */
export function elementsOf(bytes: Buffer): MediaElement[] {
  const magic = bytes.toString('latin1', 0, 4)
  if (magic === 'OggS') return walk(bytes, 0, bytes.length, pageAt)
  if (magic === 'RIFF') return walk(bytes, 0, bytes.length, chunkAt)
  if (magic === '\x1a\x45\xdf\xa3') return walk(bytes, 0, bytes.length, ebmlAt)
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? walk(bytes, 0, bytes.length, boxAt) : []
}

interface Found {
  readonly element: MediaElement
  /** Where nested elements start, if it has any. */
  readonly inside?: number | undefined
}

function walk(
  bytes: Buffer,
  start: number,
  end: number,
  elementAt: (bytes: Buffer, at: number) => Found | undefined,
): MediaElement[] {
  const elements: MediaElement[] = []
  for (let at = start; at < end; ) {
    const found = elementAt(bytes, at)
    if (!found || found.element.end <= at || found.element.end > end) break
    elements.push(found.element)
    if (found.inside !== undefined) elements.push(...walk(bytes, found.inside, found.element.end, elementAt))
    at = found.element.end
  }
  return elements
}

function boxAt(bytes: Buffer, start: number): Found | undefined {
  if (start + 8 > bytes.length) return undefined
  const name = bytes.toString('latin1', start + 4, start + 8)
  const contentStart = start + 8
  const end = start + bytes.readUInt32BE(start)
  const before = boxesInside[name]
  return {
    element: { name, kind: 'box', start, sizeAt: start, sizeBytes: 4, contentStart, end },
    inside: before === undefined ? undefined : contentStart + before,
  }
}

function chunkAt(bytes: Buffer, start: number): Found | undefined {
  if (start + 8 > bytes.length) return undefined
  const name = bytes.toString('latin1', start, start + 4)
  const size = bytes.readUInt32LE(start + 4)
  const contentStart = start + 8
  const end = Math.min(contentStart + size + (size % 2), bytes.length)
  return {
    element: { name, kind: 'chunk', start, sizeAt: start + 4, sizeBytes: 4, contentStart, end },
    inside: name === 'RIFF' ? contentStart + 4 : undefined,
  }
}

/** A page's size is its table of segments. */
function pageAt(bytes: Buffer, start: number): Found | undefined {
  const table = start + 27
  const contentStart = table + (bytes[start + 26] ?? 0)
  const size = bytes.subarray(table, contentStart).reduce((sum, length) => sum + length, 0)
  const element = { name: 'OggS', kind: 'page', start, sizeAt: start + 26, sizeBytes: 1 } as const
  return { element: { ...element, contentStart, end: contentStart + size } }
}

function ebmlAt(bytes: Buffer, start: number): Found | undefined {
  const idBytes = Math.clz32(bytes[start] ?? 0) - 23
  const sizeAt = start + idBytes
  const sizeBytes = Math.clz32(bytes[sizeAt] ?? 0) - 23
  if (idBytes > 4 || sizeBytes > 8 || sizeAt + sizeBytes > bytes.length) return undefined
  const name = bytes.toString('hex', start, sizeAt)
  const contentStart = sizeAt + sizeBytes
  const size = Number(readBig(bytes, sizeAt, sizeBytes) & ((1n << BigInt(7 * sizeBytes)) - 1n))
  // All ones: the size is unknown, as in a live stream.
  const isUnknown = size === 2 ** (7 * sizeBytes) - 1
  const end = isUnknown ? bytes.length : contentStart + size
  return {
    element: { name, kind: 'ebml', start, sizeAt, sizeBytes, contentStart, end },
    inside: ebmlInside.has(name) ? contentStart : undefined,
  }
}

function readBig(bytes: Buffer, at: number, length: number): bigint {
  return BigInt(`0x${bytes.toString('hex', at, at + length)}`)
}

/** Writes another size into the element's head, cut to the room that it has. */
export function writeSize(bytes: Buffer, { kind, sizeAt, sizeBytes }: MediaElement, size: bigint): void {
  const bits = BigInt(sizeBytes * (kind === 'ebml' ? 7 : 8))
  const marker = kind === 'ebml' ? 1n << bits : 0n
  const value = BigInt.asUintN(Number(bits), size) | marker
  const written = Buffer.from(value.toString(16).padStart(sizeBytes * 2, '0'), 'hex')
  ;(kind === 'chunk' ? written.reverse() : written).copy(bytes, sizeAt)
}
