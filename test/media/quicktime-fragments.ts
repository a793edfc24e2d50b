export function box(name: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** A fragment as ffmpeg writes it, as far as it is read. */
export function fragment(time: number, content: Uint8Array): Buffer {
  const stated = Buffer.alloc(12)
  stated.writeUInt32BE(0x01_00_00_00)
  stated.writeBigUInt64BE(BigInt(time), 4)
  return Buffer.concat([box('moof', box('traf', box('tfdt', stated))), box('mdat', content)])
}
