/** A box of MP4: its size, its name and its content (ISO/IEC 14496-12, 4.2). */
function box(name: string, ...content: readonly Buffer[]): Buffer {
  const size = 8 + content.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([uint32(size), Buffer.from(name, 'latin1'), ...content])
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

const uint16 = (value: number) => uint32(value).subarray(2)
const identityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const fileType = box('ftyp', Buffer.from('isom'), uint32(0x200), Buffer.from('isomiso2mp41'))

export interface ClaimedTrack {
  /** How many samples the track's tables claim, each of one byte. */
  readonly samples: number
}

/** An MP4 of PCM tracks whose sample tables claim what the file does not have: a few hundred bytes for each track. */
export function claimingMp4(tracks: readonly ClaimedTrack[]): Buffer {
  const moov = box('moov', movieHeader(), ...tracks.map(({ samples }, index) => claimingTrack(index + 1, samples)))
  return Buffer.concat([fileType, moov, box('mdat', Buffer.alloc(64))])
}

function movieHeader(): Buffer {
  const times = uint32(0, 0, 0, 8_000, 16_000)
  return box('mvhd', times, uint32(0x10000, 0x1000000, 0, 0), identityMatrix, Buffer.alloc(24), uint32(100))
}

function claimingTrack(id: number, samples: number): Buffer {
  const header = box('tkhd', uint32(7, 0, 0, id, 0, 16_000), Buffer.alloc(16), identityMatrix, uint32(0, 0))
  const media = box('mdhd', uint32(0, 0, 0, 8_000, samples, 0x55c40000))
  const handler = box('hdlr', uint32(0, 0), Buffer.from('soun'), Buffer.alloc(13))
  const reference = box('dinf', box('dref', uint32(0, 1), box('url ', uint32(1))))
  const format = box('sowt', Buffer.alloc(6), uint16(1), uint32(0, 0), uint16(1), uint16(16), uint32(0, 8_000 << 16))
  const tables = box(
    'stbl',
    box('stsd', uint32(0, 1), format),
    // Samples of one tick would be read as one chunk, without an index.
    box('stts', uint32(0, 1, samples, 2)),
    box('stsc', uint32(0, 1, 1, samples, 1)),
    box('stsz', uint32(0, 1, samples)),
    box('stco', uint32(0, 1, 48)),
  )
  return box('trak', header, box('mdia', media, handler, box('minf', box('smhd', uint32(0, 0)), reference, tables)))
}

/** An MP4 of empty boxes: eight bytes each, and a reader that asks for one at a time asks that often. */
export function manyBoxesMp4(boxes: number): Buffer {
  const empty = box('free')
  return Buffer.concat([fileType, Buffer.alloc(boxes * empty.length, empty), claimingMp4([{ samples: 1 }])])
}
