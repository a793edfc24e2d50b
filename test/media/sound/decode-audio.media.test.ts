import { describe, expect, it } from 'vitest'
import type { MediaFormat } from '../../../src/core/media.ts'
import { decodeAudio } from '../../../src/media/sound/decode-audio.ts'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, pcmOf, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

/** `start` and `end` in seconds. */
async function decode(path: string, start: number, end: number): Promise<Int16Array> {
  const { audio, format } = await inspectFile(path, ffmpeg, never)
  const [track = { sampleRate: 0, channels: 0 }] = audio
  const pieces: number[] = []
  const [startFrame, endFrame] = [Math.round(start * track.sampleRate), Math.round(end * track.sampleRate)]
  await decodeAudio({
    ...{ input: { path, format }, trackIndex: 0, track, startFrame, endFrame, ffmpeg, signal: never },
    onSamples: (samples) => {
      for (const sample of samples) pieces.push(sample)
    },
  })
  return Int16Array.from(pieces)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) => Buffer.from(buffer, byteOffset, byteLength)

describe('a window of audio', () => {
  it('is cut by the sample from six channels', async () => {
    const whole = await pcmOf(film)
    expect(await decode(film, 1.5, 2.25)).toEqual(whole.subarray(1.5 * 48_000 * 6, 2.25 * 48_000 * 6))
  })

  it.each([
    ['speech.mp3', 44_100],
    ['speech.m4a', 44_100],
    ['speech.aac', 44_100],
    ['speech.ogg', 48_000],
  ] as const)('far into %s is the same as from decoding it whole', async (name, rate) => {
    const file = await fixture(name)
    const [whole, window] = [await pcmOf(file, 'aresample=async=1:first_pts=0'), await decode(file, 40.1, 41.1)]
    expect(window).toHaveLength(rate)
    const from = Math.round(40.1 * rate)
    const differences = window.map((sample, index) => Math.abs(sample - (whole[from + index] ?? 0)))
    // AAC fills bands with noise of its own, which differs.
    expect(Math.max(...differences)).toBeLessThanOrEqual(16)
  })

  it('of a quarter of an hour is decoded in one run', async () => {
    expect(await decode(await fixture('half-hour.wav'), 0, 900)).toHaveLength(900 * 8_000)
  })

  it.each([
    ['gap.mp4', 6],
    ['long-gap.mp4', 40],
    ['beeps.webm', 6],
    ['beeps.mp4', 6],
  ] as const)('of %s has the samples that ffmpeg’s own filling of gaps makes', async (name, seconds) => {
    const file = await fixture(name)
    const filled = await pcmOf(file, 'aresample=async=1:first_pts=0')
    const samples = await decode(file, 0, seconds)
    expect(Math.abs(samples.length - filled.length)).toBeLessThan(0.1 * 48_000)
    const length = Math.min(samples.length, filled.length)
    expect(Buffer.compare(bytesOf(samples.subarray(0, length)), bytesOf(filled.subarray(0, length)))).toBe(0)
  })

  it.each(['m4a', 'mp3', 'mkv', 'mp4'] as const)(
    'of chapters in %s has no titles between its samples',
    async (format) => {
      const decoded = await Promise.all(
        (['odd', 'even'] as const).map(async (length) => {
          const file = await fixture(`${length}-chapters.${format}`)
          return { samples: await decode(file, 0, 6), expected: await pcmOf(file) }
        }),
      )
      for (const { samples, expected } of decoded)
        expect(bytesOf(samples).equals(bytesOf(expected.subarray(0, samples.length)))).toBe(true)
    },
  )

  it('stands where the timestamps say after lost packets', async () => {
    const samples = await decode(await fixture('lost-packets.mka'), 0, 6)
    const onset = samples.findIndex((sample, at) => at > 4.8 * 48_000 && Math.abs(sample) > 2_000)
    expect(Math.abs(onset / 48_000 - 5)).toBeLessThan(0.002)
  })

  it('is whole where packets come late', async () => {
    const file = await fixture('late-packets.mka')
    expect(await decode(file, 0, 5)).toEqual((await pcmOf(file)).subarray(0, 5 * 44_100))
  })

  it('stands where the timestamps say after a gap', async () => {
    const samples = await decode(await fixture('gap.mp4'), 0, 6)
    expect(Math.abs(samples.length - 6 * 48_000)).toBeLessThan(10)
    expect(samples.subarray(2.1 * 48_000, 4.9 * 48_000).every((sample) => Math.abs(sample) < 10)).toBe(true)
  })

  it('comes at another rate in as many channels as asked, from the same moment', async () => {
    const samples: number[] = []
    await decodeAudio({
      ...{ input: { path: await fixture('beeps.mp4'), format: 'mp4' }, trackIndex: 0, ffmpeg, signal: never },
      ...{ track: { sampleRate: 16_000, channels: 1 }, startFrame: 2.25 * 16_000, endFrame: 3.25 * 16_000 },
      onSamples: (part) => {
        for (const sample of part) samples.push(sample)
      },
    })
    expect(samples).toHaveLength(16_000)
    // The beep ends 250 ms in, and the next one starts 500 ms later.
    const loud = samples.flatMap((sample, index) => (Math.abs(sample) > 2_000 ? [index / 16] : []))
    const [end, start] = [loud.findLast((ms) => ms < 500), loud.find((ms) => ms > 500)]
    expect([end, start]).toEqual([expect.closeTo(250, -0.5), expect.closeTo(750, -0.5)])
  })

  it('reports progress up to its end', async () => {
    const seen: number[] = []
    const input = { path: speech, format: 'wav' as MediaFormat }
    await decodeAudio({
      ...{ input, trackIndex: 0, track: { sampleRate: 8_000, channels: 1 }, startFrame: 0, endFrame: 73 * 8_000 },
      ...{ ffmpeg, signal: never, onSamples: () => {}, onProgress: (fraction) => seen.push(fraction) },
    })
    expect(seen.at(-1)).toBeCloseTo(1, 2)
  })
})
