import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { assertReadableTracks } from '../../../src/media/inspect/mp4-boxes.ts'
import { assertOneRate } from '../../../src/media/inspect/mpeg-frames.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { fixture, speech } from '../../fixtures/make.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { inspectFile } from './inspect-file.ts'

const ffmpeg = testFfmpeg()

describe('files that are not what their names say', () => {
  it.each(['empty.mp4', 'text.mp4', 'playlist.mp4', 'picture.mp4', 'concat.mp4', 'words.srt'] as const)(
    '%s is refused as unsupported_file_type',
    async (name) => {
      const inspection = inspectFile(await fixture(name), ffmpeg, never)
      await expect(inspection).rejects.toMatchObject({ code: 'unsupported_file_type', retryable: false })
    },
  )
})

describe('files that claim more than they hold', () => {
  const folder = temporaryFolder()

  it('a WAV whose header lies about rate and length is as long as its samples', async () => {
    const wav = (await readFile(speech)).subarray(0, 20_000)
    wav.writeUInt32LE(0x7fffffff, wav.indexOf('data') + 4)
    wav.writeUInt32LE(1, 28)
    const file = path.join(folder, 'lying.wav')
    await writeFile(file, wav)
    const { durationSeconds } = await inspectFile(file, ffmpeg, never)
    expect(durationSeconds).toBeLessThan(1.3)
  })

  it.each([
    { codec: 0x3c21, channels: 52_016, sampleRate: 8_000 },
    { codec: 1, channels: 65, sampleRate: 8_000 },
    { codec: 1, channels: 1, sampleRate: 1_700_000_000 },
  ])(
    'a WAV whose header states $channels channels of codec $codec at $sampleRate Hz is refused with the limit',
    async ({ codec, channels, sampleRate }) => {
      const wav = (await readFile(speech)).subarray(0, 20_000)
      wav.writeUInt16LE(codec, 20)
      wav.writeUInt16LE(channels, 22)
      wav.writeUInt32LE(sampleRate, 24)
      wav.writeUInt16LE((2 * channels) % 65_536, 32)
      const file = path.join(folder, `${channels}-${sampleRate}.wav`)
      await writeFile(file, wav)
      await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
        code: 'media_too_large',
        message: expect.stringContaining(`${channels} channels at ${sampleRate} Hz`),
      })
    },
  )

  it('a chain of a million tags is refused at once', bestOfThree, async () => {
    const file = path.join(folder, 'tags.mp3')
    await writeFile(file, Buffer.alloc(10_000_000, 'ID3\u0004\0\0\0\0\0\0'))
    const start = performance.now()
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({ code: 'unsupported_file_type' })
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('an Ogg file of several recordings', () => {
  it.each([
    ['of one stream each', 'speech.opus', 'speech.ogg'],
    ['that are the same', 'speech.opus', 'speech.opus'],
    ['of two streams each', 'two-streams.ogg', 'two-streams-again.ogg'],
  ] as const)('%s is refused with what it is', async (how, first, second) => {
    const file = path.join(temporaryFolder(), `${how}.ogg`)
    await writeFile(file, Buffer.concat([await readFile(await fixture(first)), await readFile(await fixture(second))]))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: expect.stringContaining('several recordings in a row'),
    })
  })

  it.each([
    ['opus', 'libopus'],
    ['ogg', 'libvorbis'],
  ])('of a twentieth of a second each, with one number, is refused too (%s)', async (format, codec) => {
    const sound = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=0.05', '-c:a', codec]
    const link = await promisify(execFile)(mediaTools.ffmpegPath, [...sound, '-f', format, '-'], { encoding: 'buffer' })
    const file = path.join(temporaryFolder(), `short.${format}`)
    await writeFile(file, Buffer.concat(Array.from({ length: 200 }, () => link.stdout)))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      message: expect.stringContaining('several recordings in a row'),
    })
  })
})

it('a WebM file of two recordings in a row is refused with what it is: times begin again in the second', async () => {
  const recording = await readFile(await fixture('speech.webm'))
  const file = path.join(temporaryFolder(), 'twice.webm')
  await writeFile(file, Buffer.concat([recording, recording]))
  await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
    code: 'unsupported_file_type',
    message: expect.stringContaining('several recordings in a row'),
  })
})

describe('an MP4 file whose track changes its codec', () => {
  const box = (type: string, ...content: readonly Buffer[]) => {
    const inside = Buffer.concat(content)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + inside.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, inside])
  }
  const indexOf = (header: string, codecs: readonly string[]) => {
    const entries = codecs.map((codec) => box(codec, Buffer.alloc(78)))
    const samples = box('stbl', box('stsd', Buffer.from([0, 0, 0, 0, 0, 0, 0, codecs.length]), ...entries))
    return box('moov', box('trak', box('mdia', box('minf', box(header, Buffer.alloc(12)), samples))))
  }
  const look = async (header: string, ...codecs: string[]) => {
    const file = path.join(temporaryFolder(), `${header}-${codecs.join('-').trim()}.mp4`)
    await writeFile(file, indexOf(header, codecs))
    return assertReadableTracks(await fileSource(file), never)
  }

  it.each([
    ['vmhd', 'avc1', 'hvc1'],
    ['vmhd', 'avc1', 'avc3'],
    ['smhd', 'mp4a', 'Opus'],
    ['smhd', 'twos', 'sowt'],
  ])('is refused (%s: %s, then %s), because ffmpeg reads only samples of the first', async (header, first, second) => {
    await expect(look(header, first, second)).rejects.toThrow(`changes its codec, from ${first} to ${second}.`)
  })

  it('is read where it only changes its settings, or is no sound or picture', async () => {
    await look('vmhd', 'avc1', 'avc1')
    await look('nmhd', 'mett', 'text')
  })
})

describe('AAC without a container', () => {
  const frame = (sampleRateIndex: number) =>
    Buffer.from([0xff, 0xf1, 0x40 | (sampleRateIndex << 2), 0x80, 1, 0x1f, 0xfc, 0])
  const fileOf = async (name: string, ...parts: readonly Buffer[]) => {
    const file = path.join(temporaryFolder(), name)
    await writeFile(file, Buffer.concat(parts))
    return file
  }

  it.each([
    [44_100, 22_050],
    [48_000, 44_100],
    [16_000, 48_000],
    [32_000, 24_000],
  ])('of %d Hz, then %d, is refused with what it is: ffmpeg counts all of it at the first rate', async (...rates) => {
    const parts = rates.map(async (rate) => {
      const args = ['-v', 'error', '-f', 'lavfi', '-i', `sine=sample_rate=${rate}:duration=2`, '-f', 'adts', '-']
      return (await promisify(execFile)(mediaTools.ffmpegPath, args, { encoding: 'buffer' })).stdout
    })
    const file = await fileOf('rates.aac', ...(await Promise.all(parts)))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      code: 'unsupported_file_type',
      message: expect.stringContaining('changes its sample rate'),
    })
  })

  it('that holds what looks like four frames of another rate is read', async () => {
    const aac = await readFile(await fixture('speech.aac'))
    const file = await fileOf('alike.aac', aac, Buffer.alloc(4 * 8, frame(3)), aac)
    expect((await inspectFile(file, ffmpeg, never)).format).toBe('aac')
  })

  it(
    'of the smallest frames, or of bytes that begin frames, is looked through within a second',
    bestOfThree,
    async () => {
      const bytes = Buffer.concat([
        Buffer.alloc(8_000_000, frame(4)),
        Buffer.alloc(8_000_000, Buffer.from([0xff, 0xf1, 0])),
      ])
      const start = performance.now()
      await assertOneRate(await fileSource(await fileOf('many.aac', bytes)), never)
      expect(performance.now() - start).toBeLessThan(1_000)
    },
  )
})

it('256 parts of a file of any length are looked through', async () => {
  let parts = 0
  const source = {
    bytes: 2 ** 40,
    readAt: async () => {
      parts += 1
      return Buffer.alloc(2 ** 18)
    },
  }
  await assertOneRate(source, never)
  expect(parts).toBe(256)
})

describe('damaged media', () => {
  it.each(['truncated.mp4', 'truncated-index-first.mp4', 'damaged.wav'] as const)(
    '%s fails as processing_failed, and no message tells a path',
    async (name) => {
      const error: unknown = await inspectFile(await fixture(name), ffmpeg, never).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'processing_failed', retryable: false })
      expect(String(error)).not.toMatch(/[/\\]|ffprobe|moov/)
    },
  )

  it.each([
    ['cut.mp3', 30, 45],
    ['cut.ogg', 30, 45],
    ['cut.wav', 35, 38],
  ] as const)('%s, which has no index, is as long as what is there', async (name, least, most) => {
    const { durationSeconds } = await inspectFile(await fixture(name), ffmpeg, never)
    expect(durationSeconds).toBeGreaterThan(least)
    expect(durationSeconds).toBeLessThan(most)
  })
})
