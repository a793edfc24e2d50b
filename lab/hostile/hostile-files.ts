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

interface ClaimedTrack {
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

const samplesPerSecond = 1000
/** On for 0.1 seconds, off for 0.1. */
const samplesPerHalf = 100

/** A WAV of 8-bit samples with five beeps a second. */
export function beepsWav(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * samplesPerSecond, 128)
  for (let at = 0; at < samples.length; at++) {
    const isOn = Math.floor(at / samplesPerHalf) % 2 === 0
    if (isOn) samples[at] = at % 2 === 0 ? 28 : 228
  }
  return monoWav({ samples, sampleRate: samplesPerSecond, bitsPerSample: 8 })
}

interface WavSound {
  readonly samples: Buffer
  readonly sampleRate: number
  readonly bitsPerSample: 8 | 16
}

/** A WAV with one channel, as https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html describes it. */
function monoWav({ samples, sampleRate, bitsPerSample }: WavSound): Buffer {
  const bytesPerSample = bitsPerSample / 8
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(bytesPerSample * sampleRate, 28)
  header.writeUInt16LE(bytesPerSample, 32)
  header.writeUInt16LE(bitsPerSample, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** A progressive JPEG of a grey square, with this many scans. Each says with a few bits that it changes nothing. */
export function jpegOfEmptyScans(side: number, scans: number): Buffer {
  const size = [side >> 8, side & 0xff]
  const scan = Buffer.concat([segment(0xda, [1, 1, 0, 1, 63, 0]), noChange((side / 8) ** 2)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(16)]),
    segment(0xc2, [8, ...size, ...size, 1, 1, 0x11, 0]),
    // A code of one bit each: of no difference, and of a run of blocks whose length follows in 14 bits.
    segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0x00]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0xe0]),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...content])
}

const shortestRun = 2 ** 14

/** The entropy-coded data of blocks that stay as they are (ITU-T T.81, G.1.2.2). */
function noChange(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0; ) {
    const run = Math.min(Math.max(left, shortestRun), 2 * shortestRun - 1)
    bits += `0${(run - shortestRun).toString(2).padStart(14, '0')}`
    left -= run
  }
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(
    bytes.flatMap((byte) => {
      const value = Number.parseInt(byte.padEnd(8, '1'), 2)
      return value === 0xff ? [value, 0] : [value]
    }),
  )
}

/** SubRip of a few seconds that is expensive to show: the turns take the kinds one after another. */
export function hostileCaptions(turn: number): string {
  const kinds = [nested, wordy, brief, busy]
  return (kinds[turn % kinds.length] ?? nested)().join('\n\n')
}

/** All within each other. */
function nested(): string[] {
  return Array.from({ length: 2_200 }, (_, index) => cue(index, 4_400 - index, 'nested '.repeat(8)))
}

/** A thousand short words of a letter that fonts lack in each, all shown simultaneously. */
function wordy(): string[] {
  return Array.from({ length: 80 }, (_, index) => cue(index * 10, 5_000, '\u0710 '.repeat(450)))
}

/** Shorter than a frame. */
function brief(): string[] {
  return Array.from({ length: 2_240 }, (_, index) => cue(index * 2, index * 2 + 1, `caption ${index}`))
}

/** As many as are accepted, as long as they may be. */
function busy(): string[] {
  return Array.from({ length: 40 }, (_, index) => cue(index * 120, index * 120 + 900, 'W '.repeat(499)))
}

function cue(startMilliseconds: number, endMilliseconds: number, text: string): string {
  return `${clock(startMilliseconds)} --> ${clock(endMilliseconds)}\n${text}`
}

function clock(milliseconds: number): string {
  return `00:00:${(milliseconds / 1000).toFixed(3).padStart(6, '0').replace('.', ',')}`
}
