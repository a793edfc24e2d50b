/** A box of MP4 (ISO/IEC 14496-12): its size, its type and its content. */
function box(type: string, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([words(0), Buffer.from(type, 'latin1'), ...content])
  bytes.writeUInt32BE(bytes.length)
  return bytes
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** Some hundred bytes for each track, whose sample tables claim so many samples of one byte. */
export function overclaimingMp4({ tracks, samples }: { readonly tracks: number; readonly samples: number }): Buffer {
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const track = (_: unknown, index: number) => {
    const tables = box(
      'stbl',
      box('stsd', words(0, 1), box('mp4a', words(0, 1, 0, 0, 0x10010, 0, 48_000 * 2 ** 16))),
      box('stts', words(0, 1, samples, 1024)),
      box('stsc', words(0, 1, 1, samples, 1)),
      box('stsz', words(0, 1, samples)),
      box('stco', words(0, 1, 40)),
    )
    const reference = box('dinf', box('dref', words(0, 1), box('url ', words(1))))
    return box(
      'trak',
      box('tkhd', words(7, 0, 0, index + 1, 0, 1000, 0, 0, 0, 0), matrix, words(0, 0)),
      box(
        'mdia',
        box('mdhd', words(0, 0, 0, 48_000, samples, 0x55c40000)),
        box('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
        box('minf', box('smhd', words(0, 0)), reference, tables),
      ),
    )
  }
  const header = box('mvhd', words(0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0), matrix, Buffer.alloc(24), words(99))
  const file = [box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41')), box('mdat', Buffer.alloc(4096, 1))]
  return Buffer.concat([...file, box('moov', header, ...Array.from({ length: tracks }, track))])
}
