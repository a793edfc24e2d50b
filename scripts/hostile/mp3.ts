/** MPEG-1 layer III at 128 kbit/s and 44.1 kHz, of silence. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])
const frames = 100

/** An MP3 of 2.6 seconds with a frame of ID3v2.3, such as its title, of this many letters. */
export function taggedMp3(name: 'title' | 'timecode', letters: number): Buffer {
  const [id, head] = name === 'title' ? ['TIT2', '\0'] : ['TXXX', '\0timecode\0']
  const text = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(letters, 'a')])
  const frameHead = Buffer.alloc(10)
  frameHead.write(id, 'latin1')
  frameHead.writeUInt32BE(text.length, 4)
  const tagHead = Buffer.from([...Buffer.from('ID3\u0003\0\0', 'latin1'), ...syncSafe(frameHead.length + text.length)])
  return Buffer.concat([tagHead, frameHead, text, ...Array.from({ length: frames }, () => frame)])
}

/** Seven bits a byte, so that no byte looks like the start of a frame. */
function syncSafe(size: number): number[] {
  return [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)
}
