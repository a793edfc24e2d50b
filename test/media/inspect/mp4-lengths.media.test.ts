import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { inspectFile } from './inspect-file.ts'

const ffmpeg = testFfmpeg()

/** Makes a film of six seconds with a keyframe a second and a tone. */
async function makeFilm(file: string, ...options: readonly string[]): Promise<string> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=6']
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=6:sample_rate=48000']
  const codecs = [
    '-pix_fmt',
    'yuv420p',
    '-g',
    '25',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-bf',
    '0',
    '-c:a',
    'aac',
  ]
  await runFfmpeg(...picture, ...tone, ...codecs, ...options, file)
  return file
}

/** The initialization and the chunk of the picture, or of the sound, from second 4 to 6, as a player of a stream loads them. */
async function streamedFrom4(track: 'picture' | 'sound') {
  const folder = temporaryFolder()
  await makeFilm(path.join(folder, 'film.mpd'), '-f', 'dash', '-seg_duration', '2')
  const part = (name: string) => readFile(path.join(folder, `${name}`))
  const stream = track === 'picture' ? 0 : 1
  const [head, chunk] = [await part(`init-stream${stream}.m4s`), await part(`chunk-stream${stream}-00003.m4s`)]
  return { head, chunk, file: path.join(folder, 'part.mp4') }
}

/** With a length of an hour in the header of the track, as that of the whole stream. */
function ofAnHour(head: Buffer): Buffer {
  const at = head.indexOf('mdhd')
  head.writeUInt32BE(head.readUInt32BE(at + 16) * 3600, at + 20)
  return head
}

describe('media in fragments is as long as these', () => {
  it.each(['picture', 'sound'] as const)('where the first starts late: %s', async (track) => {
    const { head, chunk, file } = await streamedFrom4(track)
    await writeFile(file, Buffer.concat([head, chunk]))
    expect((await inspectFile(file, ffmpeg, never)).durationSeconds).toBeCloseTo(2, 0)
  })

  it.each(['picture', 'sound'] as const)(
    'without any there is no data, although the header states an hour: %s',
    async (track) => {
      const { head, file } = await streamedFrom4(track)
      await writeFile(file, ofAnHour(head))
      await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
        code: 'processing_failed',
        message: expect.stringContaining('The media cannot be read'),
      })
    },
  )
})

it('a file whose index lists more than its data is as long as what is there', async () => {
  const file = await makeFilm(path.join(temporaryFolder(), 'film.mp4'), '-movflags', '+faststart')
  const whole = await readFile(file)
  const data = whole.indexOf('mdat') - 4
  const cut = whole.subarray(0, data + ((whole.length - data) >> 1))
  // As a tool leaves it that repairs the length of the last box.
  cut.writeUInt32BE(cut.length - data, data)
  await writeFile(file, cut)
  const { durationSeconds } = await inspectFile(file, ffmpeg, never)
  expect(durationSeconds).toBeGreaterThan(2.5)
  expect(durationSeconds).toBeLessThan(3.5)
})

it('an encrypted file is refused with the reason', async () => {
  const key = '00112233445566778899aabbccddeeff'
  const options = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key]
  const file = await makeFilm(path.join(temporaryFolder(), 'film.mp4'), ...options)
  await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
    code: 'processing_failed',
    message: expect.stringContaining('encrypted'),
  })
})
