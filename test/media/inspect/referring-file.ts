import { elementsOf, writeSize } from '../../../lab/hostile/mutate.ts'

/** A data reference of a type: `url ` names an address, `rsrc` the resource of a file. */
export function referenceBox(type: string, name: string): Buffer {
  const box = Buffer.from(`0000${type}0000${name}\0`, 'latin1')
  box.writeUInt32BE(box.length)
  box.writeUInt32BE(0, 8)
  return box
}

/** A data reference to a file beside the media, as QuickTime's alias records name one; as ffmpeg's mov_read_dref reads it. */
export function aliasBox(name: string): Buffer {
  const text = (length: number, value: string) => {
    const bytes = Buffer.alloc(length + 1)
    bytes[0] = value.length
    bytes.write(value, 1, 'latin1')
    return bytes
  }
  const target = Buffer.from(`vol:${name}`.padEnd(64, '\0'), 'latin1')
  const record = Buffer.from([0, 2, 0, target.length])
  const levels = Buffer.from([0, 1, 0, 1])
  const body = [Buffer.alloc(14), text(27, 'vol'), Buffer.alloc(12), text(63, name), Buffer.alloc(16), levels]
  const content = Buffer.concat([...body, Buffer.alloc(16), record, target, Buffer.from([255, 255, 0, 0])])
  const head = Buffer.from('0000alis', 'latin1')
  head.writeUInt32BE(8 + content.length)
  return Buffer.concat([head, content])
}

/** The film, of which the samples of one track are said to be in another file. Its index is behind the samples, so that these do not move. */
export function referringMp4(film: Buffer, reference: Buffer, track = 0): Buffer {
  const elements = elementsOf(film)
  const own = elements.filter((element) => element.name === 'url ')[track]
  if (!own) throw new Error('the film has no data reference')
  const grown = reference.length - (own.end - own.start)
  const bytes = Buffer.from(film)
  for (const element of elements) {
    const isAround = element.start < own.start && element.end >= own.end
    if (isAround) writeSize(bytes, element, BigInt(element.end - element.start + grown))
  }
  return Buffer.concat([bytes.subarray(0, own.start), reference, bytes.subarray(own.end)])
}
