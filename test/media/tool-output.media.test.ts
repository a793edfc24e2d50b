import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { lineReader } from '../../src/core/line-reader.ts'
import { wavReader } from '../../src/media/clip/join-audio.ts'
import { measureLoudness, meterOptions } from '../../src/media/clip/loudness.ts'
import { readCodedPackets } from '../../src/media/copying/coded-packets.ts'
import { CopyRefusal } from '../../src/media/copying/copy-refusal.ts'
import { readSetsBox, replaceSetsBox } from '../../src/media/copying/rewrite-samples.ts'
import { smartCodecs } from '../../src/media/copying/smart-codecs.ts'
import { readFrameHashes } from '../../src/media/copying/verify-smart.ts'
import { decodeChanges } from '../../src/media/frames/find-frames.ts'
import { frameParser } from '../../src/media/frames/sample-frames.ts'
import { readPackets } from '../../src/media/inspect/packets.ts'
import { outputLines } from '../../src/media/inspect/probe-json.ts'
import { readTracks } from '../../src/media/inspect/tracks.ts'
import { decodeAudio } from '../../src/media/sound/decode-audio.ts'
import { packetReader } from '../../src/media/sound/meter.ts'
import { fixture } from '../fixtures/make.ts'
import { bytesTaken, inputsTried, isPermanent, survivesMangling } from '../mangled-bytes.ts'
import { never, temporaryFolder, testFfmpeg } from './measure.ts'

// What the tools write to this process, as they write it and mangled.

const real = testFfmpeg()
const file = { path: await fixture('beeps.mp4'), format: 'mp4' } as const
const tracks = await readTracks(file, real, never)
const [track] = tracks.audio
const { video } = tracks
if (!track || !video) throw new Error('the film has sound and picture')

/** Calls of the tools, of which the output is recorded. */
function recording() {
  const chunks: Buffer[] = []
  const ffmpeg: Ffmpeg = {
    ...real,
    run: ({ output, ...job }) =>
      real.run({
        ...job,
        output: async (chunk) => {
          chunks.push(Buffer.from(chunk))
          if (typeof output === 'function') await output(chunk)
        },
      }),
    probe: ({ onLine, ...job }) =>
      real.probe({
        ...job,
        onLine: (line) => {
          chunks.push(Buffer.from(`${line}\n`))
          onLine(line)
        },
      }),
  }
  return { ffmpeg, recorded: () => Buffer.concat(chunks) }
}

/** Tools whose output is these chunks. */
function replaying(chunks: Iterable<Buffer>): Ffmpeg {
  return {
    ...real,
    run: async ({ output }) => {
      if (typeof output === 'function') for (const chunk of chunks) await output(chunk)
      return { decodeErrors: 0 }
    },
    probe: async ({ onLine }) => {
      const onLongLine = () => {
        throw new Error('a line is longer than the bytes of the input')
      }
      const reader = lineReader({ maxCharacters: 2 ** 20, onLine, onLongLine })
      for (const chunk of chunks) reader.push(chunk)
      reader.end()
    },
  }
}

const query = { input: file, signal: never }

/** Each reads the output of its tool, and returns what it read. */
const readers: readonly [string, (ffmpeg: Ffmpeg) => Promise<unknown>][] = [
  [
    'packets of sound',
    async (ffmpeg) => {
      let samples = 0
      const onSamples = ({ length }: Int16Array) => {
        samples += length
      }
      const range = { startFrame: 0, endFrame: 2 * track.sampleRate }
      await decodeAudio({ ...query, ...range, ffmpeg, trackIndex: 0, track, onSamples })
      return samples
    },
  ],
  [
    'pictures',
    async (ffmpeg) => {
      const seconds: number[] = []
      await decodeChanges({
        ...{ tracks: { ...tracks, video }, window: { start: 0, end: 2 }, longestSide: 32, ffmpeg, signal: never },
        onFrame: async (frame) => void seconds.push(frame.seconds),
      })
      return seconds
    },
  ],
  [
    'loudness',
    (ffmpeg) =>
      measureLoudness(({ output }) =>
        ffmpeg.run({
          ...query,
          deadlineSeconds: 60,
          outputOptions: [...meterOptions('0:a:0', ['atrim=end=1'])],
          output,
        }),
      ),
  ],
  [
    'hashes of frames',
    async (ffmpeg) => {
      const hashes: string[] = []
      const options = ['-map', '0:v:0', '-frames:v', '20']
      await readFrameHashes(ffmpeg, { ...query, deadlineSeconds: 60, outputOptions: options }, ({ hash }) =>
        hashes.push(hash),
      )
      return hashes
    },
  ],
  [
    'packets of a file',
    async (ffmpeg) => {
      const times: number[] = []
      await readPackets({ ...query, ffmpeg, interval: { start: 0, end: 1 } }, ({ pts, duration }) =>
        times.push(pts, duration),
      )
      expect(times.filter((time) => Number.isNaN(time))).toEqual([])
      return times
    },
  ],
  ['coded packets', (ffmpeg) => readCodedPackets({ ...query, ffmpeg, streamIndex: video.streamIndex })],
  ['the description of a file', async (ffmpeg) => (await readTracks(file, ffmpeg, never)).durationSeconds],
]

describe.each(readers)('%s', (name, read) => {
  it('are read as they come, and 1,000 mangled ones soon or fail for good', async () => {
    const { ffmpeg, recorded } = recording()
    const healthy = await read(ffmpeg)
    const sample = recorded()
    expect(await read(replaying([sample]))).toEqual(healthy)
    const isDeclared = (error: unknown) =>
      isPermanent(error) || (name === 'coded packets' && error instanceof CopyRefusal) || isTooLarge(error)
    await survivesMangling({
      // A description is read as a whole.
      samples: name === 'the description of a file' ? [sample] : [sample.subarray(0, 8_000), sample.subarray(0, 1_500)],
      parse: async (chunks) => void (await read(replaying(chunks))),
      isDeclared,
    })
  })
})

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'media_too_large'
}

describe('sound between two runs of ffmpeg', () => {
  it('is read as it comes, and 1,000 mangled streams soon or fail for good', async () => {
    const { ffmpeg, recorded } = recording()
    const outputOptions = ['-map', '0:a:0', '-t', '0.1', '-c:a', 'pcm_f32le', '-f', 'wav']
    await ffmpeg.run({ ...query, deadlineSeconds: 60, outputOptions, output: () => {} })
    const wav = recorded()
    const samplesIn = (chunks: Iterable<Buffer>) => {
      let [samples, headerBytes] = [0, 0]
      const parse = wavReader(track.channels, ({ length }) => {
        headerBytes = length
      })
      for (const chunk of chunks) samples += parse(chunk).length
      return { samples, headerBytes }
    }
    const { samples, headerBytes } = samplesIn([wav])
    expect(samples * 4 + headerBytes).toBe(wav.length)
    expect(samples).toBeGreaterThan(4_000)
    await survivesMangling({
      samples: [wav.subarray(0, 5_000), wav.subarray(0, 300)],
      parse: (chunks) => samplesIn(chunks).samples,
      isDeclared: isPermanent,
    })
  })
})

describe('what never ends is refused before it is kept', () => {
  const cases: readonly [string, (chunk: Buffer) => unknown, Uint8Array, number][] = [
    [
      'a header of WAV',
      wavReader(2, () => {}),
      Buffer.from('RIFF\xff\xff\xff\xffWAVELIST\xff\xff\xff\x7f', 'latin1'),
      5_000,
    ],
    ['a line', outputLines(() => {}), Buffer.from('n:1 '), 5_000],
    ['a box before sound', packetReader(4), Buffer.from('\0\x01\0\x01moov', 'latin1'), 0],
    ['a box before pictures', frameParser(12), Buffer.from('\0\0\xff\xffmoov', 'latin1'), 66_000],
  ]
  it.each(cases)('%s', (_, parse, beginning, most) => {
    const taken = (() => {
      try {
        return bytesTaken(parse, beginning, '\0')
      } catch {
        // The beginning itself was refused.
        return 0
      }
    })()
    expect(taken).toBeLessThanOrEqual(most)
  })
})

describe('the index of a copy', () => {
  it.each([
    ['h264', ['libx264', '-preset', 'ultrafast']],
    ['hevc', ['libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1']],
  ] as const)('of %s is read as it is, and 100 mangled ones soon or make the clip exact', async (name, encoder) => {
    const codec = smartCodecs.get(name)
    if (!codec) throw new Error('no codec')
    const made = path.join(temporaryFolder(), 'copy.mp4')
    await real.run({
      ...{ ...query, deadlineSeconds: 60, pixels: 64 * 64, output: made },
      outputOptions: ['-map', '0:v:0', '-vf', 'scale=64:64', '-frames:v', '5', '-c:v', ...encoder, '-f', 'mp4'],
    })
    const whole = await readFile(made)
    const changed = path.join(temporaryFolder(), 'changed.mp4')
    const rewrite = async (bytes: Buffer) => {
      await writeFile(changed, bytes)
      const box = await readSetsBox(changed, codec.box)
      const { sets } = codec.parse(box)
      codec.encoderOptions(box)
      await codec.breakLink(changed)
      await codec.renumber?.(changed)
      await replaceSetsBox(changed, codec.box, codec.merge([box, await readSetsBox(changed, codec.box)]))
      return sets.length
    }
    expect(await rewrite(whole)).toBeGreaterThan(1)
    for (const box of ['stsd', 'stsz', 'stco', 'avcC', 'hvcC', 'stbl', 'trak', 'moov'])
      for (const [field, value] of [-4, 4, 8, 12].flatMap((at) =>
        [0, 9, 2 ** 31, 2 ** 32 - 1].map((each) => [at, each] as const),
      )) {
        const bytes = Buffer.from(whole)
        const at = whole.indexOf(box) + field
        if (at > field) bytes.writeUInt32BE(value, at)
        await rewrite(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(CopyRefusal))
      }
    await rewrite(whole)
    expect((await readTracks({ path: changed, format: 'mp4' }, real, never)).video?.width).toBe(64)
    await survivesMangling({
      samples: [whole, whole.subarray(Math.max(0, whole.indexOf('moov') - 4))],
      parse: (_, bytes) => rewrite(bytes).then(() => {}),
      isDeclared: (error) => error instanceof CopyRefusal,
      inputs: inputsTried / 10,
    })
  })
})
