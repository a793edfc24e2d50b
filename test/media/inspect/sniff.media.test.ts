import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture } from '../../fixtures/make.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { inspectFile } from './inspect-file.ts'

const ffmpeg = testFfmpeg()

/** An ID3v2.3 tag that says that its text has `stated` bytes. */
function tag(text: Buffer, stated = text.length): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (stated >> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\u0003\0\0', 'latin1'), Buffer.from(size), text])
}

/** Text that looks like no frame, as covers of tags do. */
const cover = Buffer.from('\u0010\u00ff\u00ff\u00d8cover'.repeat(500), 'latin1')

describe('a stream of frames', () => {
  const folder = temporaryFolder()

  async function inspected(name: string, bytes: Buffer) {
    const file = path.join(folder, name)
    await writeFile(file, bytes)
    return inspectFile(file, ffmpeg, never)
  }

  it.each([
    ['begins with zeros', (mp3: Buffer) => Buffer.concat([Buffer.alloc(50_000), mp3])],
    ['begins inside of a frame', (mp3: Buffer) => mp3.subarray(2_000 + 37)],
    ['begins with other bytes', (mp3: Buffer) => Buffer.concat([Buffer.from('x'.repeat(40_000)), mp3])],
    ['has a tag that is longer than it says', (mp3: Buffer) => Buffer.concat([tag(cover, 100), mp3])],
    ['has a tag that is shorter than it says', (mp3: Buffer) => Buffer.concat([tag(Buffer.from('a'), 5_000), mp3])],
    [
      'has a tag whose size is not synchronised',
      (mp3: Buffer) => Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\u00ff\u00fe', 'latin1'), cover, mp3]),
    ],
    [
      'has an unsynchronised tag that counts the bytes of before',
      (mp3: Buffer) => {
        const added = Buffer.from(cover.toString('latin1').replaceAll('\u00ff', '\u00ff\0'), 'latin1')
        return Buffer.concat([tag(added, cover.length), mp3])
      },
    ],
  ])('that %s is MP3', async (_, change) => {
    // Without the tag and the frame that says how long it is.
    const mp3 = (await readFile(await fixture('speech.mp3'))).subarray(3_000)
    const { format, audio } = await inspected('changed.mp3', change(mp3))
    expect([format, audio.length]).toEqual(['mp3', 1])
  })

  it.each(['speech-8k.mp3', 'speech-11k.mp3'] as const)('%s is MP3 of version 2.5', async (name) => {
    const bytes = await readFile(await fixture(name))
    const plain = bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xe3])))
    for (const start of [0, 100]) expect((await inspected(name, plain.subarray(start))).format).toBe('mp3')
  })

  it.each([
    ['ID3v1', 'TAG'.padEnd(128, ' ')],
    ['APE', 'APETAGEX'.padEnd(64, '\0')],
    ['Lyrics3', `LYRICSBEGIN${' '.repeat(50)}LYRICS200${'TAG'.padEnd(128, ' ')}`],
    ['nothing', ''],
  ])('of two frames and %s is MP3', async (_what, end) => {
    const bytes = await readFile(await fixture('speech-8k.mp3'))
    const sync = Buffer.from([0xff, 0xe3])
    // Behind the one that says how long the file is.
    const first = bytes.indexOf(sync, bytes.indexOf(sync) + 2)
    const third = bytes.indexOf(sync, bytes.indexOf(sync, first + 2) + 2)
    const short = Buffer.concat([bytes.subarray(first, third), Buffer.from(end, 'latin1')])
    expect((await inspected('short.mp3', short)).format).toBe('mp3')
  })

  it('that begins inside of a frame of ADTS is AAC', async () => {
    const aac = await readFile(await fixture('speech.aac'))
    expect((await inspected('cut.aac', aac.subarray(50))).format).toBe('aac')
  })

  it.each([
    ['later than in the first 64 KiB', (mp3: Buffer) => Buffer.concat([Buffer.alloc(200_000), mp3])],
    ['after the end of the file, by its tag', (mp3: Buffer) => Buffer.concat([tag(cover, 2 ** 27), mp3])],
    ['inside of an AVI', (mp3: Buffer) => Buffer.concat([Buffer.from('RIFF\0\0\0\0AVI LIST'), mp3])],
    ['fewer than five', (mp3: Buffer) => Buffer.concat([Buffer.from('MZ?'), mp3.subarray(0, 1_000)])],
  ])('%s is refused', async (_, change) => {
    const mp3 = await readFile(await fixture('speech.mp3'))
    const start = Math.max(0, mp3.indexOf(Buffer.from([0xff, 0xfb])))
    await expect(inspected('refused', change(mp3.subarray(start)))).rejects.toMatchObject({
      code: 'unsupported_file_type',
    })
  })

  it('is looked for within milliseconds', async () => {
    const start = performance.now()
    await expect(inspected('sync.bin', Buffer.alloc(1_000_000, 0xff))).rejects.toThrow()
    await expect(
      inspected('headers.bin', Buffer.alloc(1_000_000, 'ab\u00ff\u00fb\u0090\0', 'latin1')),
    ).rejects.toThrow()
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
