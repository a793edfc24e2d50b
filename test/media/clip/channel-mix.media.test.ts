import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClipFormat } from '../../../src/core/media.ts'
import { makeClip } from '../../../src/media/copying/make-clip.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { decodeErrors, never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'
import { manyChannelWav } from '../wav.ts'

const ffmpeg = testFfmpeg()
const [rate, seconds] = [48_000, 3]
/** A tone of each channel: 300 Hz for the first, and 170 Hz more for each further one. */
const hertzOf = (channel: number) => 300 + 170 * channel
const tone = (channel: number, amplitude = 0.2, sign = 1) =>
  Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(sign * 32_767 * amplitude * Math.sin((2 * Math.PI * hertzOf(channel) * index) / rate)),
  )
const silence = new Int16Array(rate * seconds)

async function clip(file: string, format: ClipFormat, join = false) {
  const { format: sourceFormat } = await inspectFile(file, ffmpeg, never)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const tracks = await readTracks({ path: file, format: sourceFormat }, ffmpeg, never)
  const ranges = join
    ? [
        { start: 0, end: 1.2 },
        { start: 1.5, end: 3 },
      ]
    : [{ start: 0, end: 3 }]
  const { receipt } = await makeClip('exact', { ...plainClip(), tracks, ranges, format, outputPath, ffmpeg })
  expect(await decodeErrors(outputPath)).toBe('')
  const channels = (await inspectFile(outputPath, ffmpeg, never)).audio[0]?.channels ?? 0
  return { receipt, channels, samples: await pcmOf(outputPath, 'aresample=48000') }
}

/** The level of a channel's tone in each output, in dB against a tone of 0.2, over the middle second. */
function levelsOf({ samples, channels }: { samples: Int16Array; channels: number }, channel: number): number[] {
  return Array.from({ length: channels }, (_, output) => {
    let [real, imaginary] = [0, 0]
    for (let frame = rate; frame < 2 * rate; frame++) {
      const angle = (2 * Math.PI * hertzOf(channel) * frame) / rate
      const sample = (samples[frame * channels + output] ?? 0) / 32_767
      real += sample * Math.cos(angle)
      imaginary += sample * Math.sin(angle)
    }
    return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / rate / 0.2 + 1e-9)
  })
}

const wav = async (channels: readonly Int16Array[], mask = 0) => {
  const file = path.join(temporaryFolder(), 'channels.wav')
  await writeFile(file, manyChannelWav(channels, rate, mask))
  return file
}

/** Masks of WAV. */
const masks = { '5.1': 0x3f, '5.1(side)': 0x60f, '7.1': 0x63f, '4.0': 0x107, quad: 0x33 } as const

describe('surround sound in stereo', () => {
  it.each([
    ['5.1', 6, 2],
    ['5.1(side)', 6, 2],
    ['7.1', 8, 2],
    ['4.0', 4, 2],
  ] as const)(
    'has the dialogue of %s at -3 dB on both sides, and the front as it was',
    async (layout, count, centre) => {
      const file = await wav(
        Array.from({ length: count }, (_, channel) => tone(channel)),
        masks[layout],
      )
      for (const join of [false, true]) {
        const made = await clip(file, 'mp3', join)
        expect(made.channels).toBe(2)
        for (const level of levelsOf(made, centre)) expect(level).toBeCloseTo(-3, 0)
        expect(levelsOf(made, 0)[0]).toBeCloseTo(0, 0)
        expect(levelsOf(made, 1)[1]).toBeCloseTo(0, 0)
        expect(made.receipt.substitutions).toContain(`audio channels ${count} -> 2`)
        expect(made.receipt.remarks).toEqual([])
      }
    },
  )

  it('has the dialogue of Opus in 5.1 at -3 dB', async () => {
    const source = await wav(
      Array.from({ length: 6 }, (_, channel) => tone(channel)),
      masks['5.1'],
    )
    const file = path.join(temporaryFolder(), 'surround.opus')
    await runFfmpeg('-i', source, '-c:a', 'libopus', '-b:a', '512k', file)
    for (const level of levelsOf(await clip(file, 'mp3'), 2)) expect(level).toBeCloseTo(-3, 0)
  })

  it('does not clip where all channels are loud', async () => {
    const loud = Array.from({ length: 6 }, () => tone(0, 0.95))
    const { samples } = await clip(await wav(loud, masks['5.1']), 'mp3')
    expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(32_000)
  })

  it('leaves bass out, and keeps a voice in its channel', async () => {
    const bass = Int16Array.from(silence, (_, index) => 6_000 * Math.sin((2 * Math.PI * 50 * index) / rate))
    const rumble = [silence, silence, tone(2), bass, silence, silence]
    const { samples } = await clip(await wav(rumble, masks['5.1']), 'mp3')
    expect(samples.reduce((most, sample) => Math.max(most, sample), 0)).toBeLessThan(32_767 * 0.2)
    const voice = [silence, silence, silence, tone(3), silence, silence]
    for (const level of levelsOf(await clip(await wav(voice, masks['5.1']), 'mp3'), 3)) expect(level).toBeCloseTo(-3, 0)
  })

  it('keeps dialogue that is inverted in the centre', async () => {
    const inverted = [tone(0), tone(0), tone(0, 0.28, -1), silence, silence, silence]
    for (const join of [false, true]) {
      const made = await clip(await wav(inverted, masks['5.1']), 'mp3', join)
      for (const level of levelsOf(made, 0)) expect(level).toBeGreaterThan(-1)
      expect(made.receipt.remarks).toEqual(['inverted'])
    }
  })
})

describe('channels of no known layout', () => {
  it.each([3, 4, 6, 7, 16])('are all heard in the MP3 of %d', async (count) => {
    const file = await wav(Array.from({ length: count }, (_, channel) => tone(channel, 0.05)))
    const made = await clip(file, 'mp3')
    expect(made.channels).toBe(2)
    for (let channel = 0; channel < count; channel++)
      for (const level of levelsOf(made, channel)) expect(level).toBeCloseTo(-15, -0.5)
  })

  it('are heard where two of them are the same, and one inverted', async () => {
    const file = await wav([silence, tone(1), silence, tone(1, 0.2, -1), silence, silence])
    for (const level of levelsOf(await clip(file, 'mp3'), 1)) expect(level).toBeGreaterThan(-3)
  })

  it.each([
    ...([3, 4, 5, 6, 7, 8] as const).flatMap((count) =>
      (['m4a', 'opus', 'flac', 'wav'] as const).map((format) => [count, format] as const),
    ),
    ...([9, 16] as const).map((count) => [count, 'wav'] as const),
  ] as const)('stay %d in %s', async (count, format) => {
    const made = await clip(await wav(Array.from({ length: count }, (_, channel) => tone(channel))), format)
    expect(made.channels).toBe(count)
    for (let channel = 0; channel < count; channel++) {
      const levels = levelsOf(made, channel)
      // AAC and Opus take the bass channel's treble away.
      if (format !== 'wav' && format !== 'flac' && count >= 6 && channel === 3) continue
      expect(Math.max(...levels)).toBeCloseTo(0, -0.5)
      expect(levels.filter((level) => level > -20)).toHaveLength(1)
    }
  })

  it('are folded where the format has fewer', async () => {
    const file = await wav(Array.from({ length: 16 }, (_, channel) => tone(channel, channel % 8 === 3 ? 0 : 0.2)))
    for (const format of ['m4a', 'opus', 'flac'] as const) {
      const made = await clip(file, format)
      expect(made.channels).toBe(8)
      for (let channel = 0; channel < 16; channel++)
        if (channel % 8 !== 3) expect(Math.max(...levelsOf(made, channel))).toBeGreaterThan(-4)
    }
  })
})
