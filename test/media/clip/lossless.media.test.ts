import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClipFormat, clipFormatOf } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { cutClip } from '../../../src/media/clip/cut.ts'
import { joinRanges } from '../../../src/media/clip/join.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { framesOf, never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

/** Interleaved samples at their full depth. */
async function samplesOf(file: string): Promise<Int32Array> {
  const args = ['-v', 'error', '-i', file, '-map', '0:a:0', '-f', 's32le', '-c:a', 'pcm_s32le', '-']
  const { stdout } = await promisify(execFile)(mediaTools.ffmpegPath, args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
  return new Int32Array(new Uint8Array(stdout).buffer)
}

async function clipOf(name: FixtureName, ranges: readonly Segment[], wanted?: ClipFormat) {
  const file = await fixture(name)
  const info = await inspectFile(file, ffmpeg, never)
  const format = wanted ?? clipFormatOf(info)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const tracks = await readTracks({ path: file, format: info.format }, ffmpeg, never)
  const options = { ...plainClip(), tracks, format, fadeSeconds: 0, outputPath, ffmpeg }
  const [window, second] = ranges
  if (!window) throw new Error('no range')
  const clip = second ? await joinRanges({ ...options, ranges }) : await cutClip({ ...options, window })
  return { ...clip, file, format, outputPath, info: await inspectFile(outputPath, ffmpeg, never) }
}

const lossless = [
  ['beeps.flac', 44_100, 2],
  ['beeps.aiff', 44_100, 2],
  ['deep.flac', 48_000, 1],
  ['deep.aiff', 48_000, 1],
  ['speech.flac', 8_000, 1],
  ['speech.aiff', 8_000, 1],
] as const

describe('a clip of lossless sound', () => {
  it.each(lossless)('of %s has exactly the samples of any window', async (name, rate, channels) => {
    const source = await samplesOf(await fixture(name))
    const last = source.length / channels / rate
    const window = fc
      .tuple(fc.double({ min: 0, max: last - 0.2, noNaN: true }), fc.double({ min: 0.1, max: 1.5, noNaN: true }))
      .map(([start, length]) => ({ start, end: Math.min(last, start + length) }))
    await fc.assert(
      fc.asyncProperty(window, async ({ start, end }) => {
        const clip = await clipOf(name, [{ start, end }])
        const [from, to] = [Math.round(start * rate) * channels, Math.round(end * rate) * channels]
        expect(await samplesOf(clip.outputPath)).toEqual(source.slice(from, to))
        expect(clip.info.format).toBe(name.split('.')[1])
      }),
      { numRuns: 6 },
    )
  })

  it('may begin with less of a packet than a block of FLAC has', async () => {
    const source = await samplesOf(await fixture('speech.flac'))
    const clip = await clipOf('speech.flac', [{ start: 0.8940625, end: 0.9940625 }])
    expect(await samplesOf(clip.outputPath)).toEqual(source.slice(7153, 7953))
  })

  it.each(lossless)('of %s joins ranges sample by sample', async (name, rate, channels) => {
    const source = await samplesOf(await fixture(name))
    const ranges = [
      { start: 0.25, end: 0.75 },
      { start: 1.5, end: 2.25 },
    ]
    const made = await samplesOf((await clipOf(name, ranges)).outputPath)
    const expected = ranges.flatMap(({ start, end }) => [
      ...source.slice(start * rate * channels, end * rate * channels),
    ])
    expect(made).toEqual(Int32Array.from(expected))
  })

  it.each([
    ['deep.flac', 'wav', 'pcm_s24le'],
    ['deep.flac', 'aiff', 'pcm_s24be'],
    ['deep.aiff', 'wav', 'pcm_s24le'],
    ['deep.aiff', 'flac', 'flac'],
  ] as const)('of %s loses nothing as %s', async (name, format, codec) => {
    const source = await samplesOf(await fixture(name))
    const clip = await clipOf(name, [{ start: 0.5, end: 1.5 }], format)
    expect(clip.receipt.audioCodec).toBe(codec)
    expect(await samplesOf(clip.outputPath)).toEqual(source.slice(24_000, 72_000))
  })

  it('does not become larger than it was: 16 bits stay 16', async () => {
    const { stdout } = await promisify(execFile)(mediaTools.ffprobePath, [
      ...['-v', 'error', '-show_entries', 'stream=bits_per_raw_sample', '-of', 'csv=p=0'],
      (
        await clipOf('speech.flac', [
          { start: 0, end: 1 },
          { start: 2, end: 3 },
        ])
      ).outputPath,
    ])
    expect(stdout.trim()).toBe('16')
  })
})

describe('a clip of Matroska', () => {
  it('of sound is M4A, and as FLAC within a millisecond of the window', async () => {
    expect(await clipOf('beeps.mka', [{ start: 1, end: 2 }])).toMatchObject({ format: 'm4a' })
    const clip = await clipOf('beeps.mka', [{ start: 2.25, end: 4 }], 'flac')
    const [source, made] = [await samplesOf(clip.file), await samplesOf(clip.outputPath)]
    expect(made).toHaveLength(1.75 * 48_000)
    // Its timestamps are whole milliseconds, so a window after a seek can begin half of one beside its sample.
    const offsets = Array.from({ length: 97 }, (_, index) => index - 48)
    const isAt = (offset: number) =>
      made.slice(100, 20_000).every((sample, index) => sample === source[2.25 * 48_000 + offset + 100 + index])
    expect(offsets.filter(isAt)).toHaveLength(1)
  })

  it('of a film is MP4, with the frames shown in the window', async () => {
    const clip = await clipOf('numbered.mkv', [{ start: 1.01, end: 2.41 }])
    expect(clip.format).toBe('mp4')
    const wanted = (await framesOf(clip.file)).filter(({ pts }) => pts > 1.01 && pts < 2.41)
    const made = await framesOf(clip.outputPath)
    expect(made.length - wanted.length).toBeGreaterThanOrEqual(0)
    expect(made.length - wanted.length).toBeLessThanOrEqual(1)
    const shown = made.slice(-wanted.length)
    for (const [index, { luma }] of shown.entries())
      expect(Math.abs(luma - (wanted[index]?.luma ?? -9))).toBeLessThan(4)
  })
})

it('a clip of AMR is M4A of its length', async () => {
  const clip = await clipOf('noises.amr', [{ start: 1, end: 3.5 }])
  expect(clip).toMatchObject({ format: 'm4a', receipt: { audioCodec: 'aac' } })
  expect(clip.durationSeconds).toBeCloseTo(2.5, 1)
  const joined = await clipOf('noises.amr', [
    { start: 0, end: 1 },
    { start: 3, end: 5 },
  ])
  expect(joined.durationSeconds).toBeCloseTo(3, 1)
})
