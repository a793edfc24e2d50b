import { describe, expect, it } from 'vitest'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { detectSilenceEndpoint } from '../../../src/endpoints/audio-detect-silence/declaration.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import type { PieceStore } from '../../../src/media/obtain-piece.ts'
import { runEndpoint } from '../../endpoints/run-endpoint.ts'
import { clipFile } from '../clip-file.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { changingSound, type SoundPart, sounding, toneLevel } from './changing-sound.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

interface Asked {
  readonly mode?: CutMode
  readonly format?: ClipFormat
  readonly audioOnly?: boolean
  readonly loudnessLufs?: number
  readonly pieceSeconds?: number
  readonly store?: PieceStore
}

async function make(file: string, ranges: readonly Segment[], { mode = 'exact', pieceSeconds, ...asked }: Asked = {}) {
  const pieces = pieceSeconds === undefined ? {} : { pieceSeconds }
  const { receipt, outputPath } = await clipFile(mode, file, { ranges, ...asked, ...pieces })
  return { receipt, outputPath, info: await inspectFile(outputPath, ffmpeg, never) }
}

/** Encoders delay a part, and parts end with a whole frame of theirs. */
const reach = 0.1

/** Sound is where the source has it. */
async function expectSound(file: string, ranges: readonly Segment[], levelReach = 1) {
  let at = 0
  const expected = ranges.flatMap((range) => {
    const inside = Array.from({ length: 24 }, (_, index) => ({ start: index * 5, end: index * 5 + 4 })).flatMap(
      ({ start, end }) => {
        const [from, to] = [Math.max(start, range.start), Math.min(end, range.end)]
        return to > from ? [{ start: from - range.start + at, end: to - range.start + at }] : []
      },
    )
    at += range.end - range.start
    return inside
  })
  const joined: Segment[] = []
  for (const each of expected) {
    const last = joined.at(-1)
    if (last && each.start - last.end < 1e-6) joined[joined.length - 1] = { start: last.start, end: each.end }
    else joined.push(each)
  }
  const found = (await sounding(file)).filter(({ start, end }) => end - start > reach)
  expect(found).toEqual(
    joined.map(({ start, end }) => ({
      start: expect.toSatisfy((time: number) => Math.abs(time - start) < reach, `starts at ${start}`),
      end: expect.toSatisfy((time: number) => Math.abs(time - end) < reach, `ends at ${end}`),
      level: expect.toSatisfy((level: number) => Math.abs(level - toneLevel) < levelReach, 'as loud as the tone'),
    })),
  )
}

const part = (codec: SoundPart['codec'], channels: SoundPart['channels'], hertz: SoundPart['rate'] = 48_000) => ({
  ...{ codec, channels },
  rate: hertz,
})
let made: Promise<string> | undefined
const broadcast = () => {
  made ??= changingSound([part('ac3', '5.1'), part('ac3', 'stereo')], 'mkv')
  return made
}
const advertised = () => changingSound([part('ac3', 'stereo'), part('ac3', '5.1'), part('ac3', 'stereo')], 'mkv')
const whole = [{ start: 0, end: 20 }]
const several = [
  { start: 1, end: 3 },
  { start: 8, end: 9.5 },
  { start: 11, end: 13.5 },
]

describe('sound that changes inside a track is in its place', () => {
  it.each([
    ['whole', whole, ['changing']],
    ['before the change', [{ start: 1, end: 9.5 }], []],
    ['across the change', [{ start: 8, end: 13 }], ['changing']],
    ['after the change', [{ start: 10.5, end: 19.5 }], ['changing']],
    ['long after the change', [{ start: 14, end: 19.5 }], []],
    ['in several ranges', several, ['changing']],
  ] as const)('%s, in each mode, and the receipt says whether it changes', async (_, ranges, remarks) => {
    const file = await broadcast()
    for (const mode of ['exact', 'smart', 'copy'] as const) {
      const { outputPath, receipt } = await make(file, ranges, { mode })
      await expectSound(outputPath, ranges)
      expect(Math.abs(receipt.driftSeconds)).toBeLessThan(0.04)
      expect(receipt.remarks).toEqual(remarks)
    }
    await expectSound((await make(file, ranges, { format: 'm4a', audioOnly: true })).outputPath, ranges)
  })

  it.each([
    ['mono, then stereo, in AAC', [part('aac', 'mono', 44_100), part('aac', 'stereo', 44_100)], 'aac'],
    [
      'another rate, then another, in MP3',
      [part('libmp3lame', 'stereo', 44_100), part('libmp3lame', 'mono', 48_000), part('libmp3lame', 'stereo', 32_000)],
      'mp3',
    ],
    ['44.1 kHz, then 48, in a recording', [part('ac3', 'stereo', 44_100), part('ac3', 'stereo', 48_000)], 'mka'],
    ['stereo, 5.1, stereo', [part('eac3', 'stereo'), part('eac3', '5.1'), part('eac3', 'stereo')], 'mka'],
    ['mono, then 5.1, as a broadcast in MOV', [part('ac3', 'mono'), part('ac3', '5.1')], 'mov'],
    ['5.1, then stereo, in MP4', [part('eac3', '5.1'), part('eac3', 'stereo')], 'mp4'],
    [
      'another rate and fewer channels, as MP3 in MP4',
      [part('libmp3lame', 'stereo', 44_100), part('libmp3lame', 'mono', 48_000)],
      'mp4',
    ],
    ['mono, then stereo, as MP3 in WAV', [part('libmp3lame', 'mono'), part('libmp3lame', 'stereo')], 'wav'],
    ['mono, then stereo, in MP2', [part('mp2', 'mono'), part('mp2', 'stereo')], 'mka'],
    ['5.1, then stereo, in DTS', [part('dca', '5.1'), part('dca', 'stereo')], 'mka'],
    ['5.1, stereo, mono, in AAC', [part('aac', '5.1'), part('aac', 'stereo'), part('aac', 'mono')], 'aac'],
    ['mono, then one channel inverted', [part('aac', 'mono'), part('aac', 'opposed')], 'mka'],
  ] as const)('%s', async (_, parts, extension) => {
    const file = await changingSound(parts, extension)
    const seconds = parts.length * 10
    for (const ranges of [[{ start: 0, end: seconds - 0.5 }], several, [{ start: 12, end: 19 }]]) {
      const { outputPath } = await make(file, ranges, { format: 'wav' })
      await expectSound(outputPath, ranges)
    }
  })

  it.each([
    ['ac3', 'mov'],
    ['libmp3lame', 'mp4'],
  ] as const)('and is not copied: %s in %s', async (codec, format) => {
    const file = await changingSound([part(codec, 'mono'), part(codec, 'stereo')], format)
    const ranges = [{ start: 8, end: 13 }]
    const { outputPath, receipt } = await make(file, ranges, { mode: 'copy', format: 'mov', audioOnly: true })
    expect(receipt).toMatchObject({ mode: 'exact', fallbackReason: expect.stringMatching(/changes its channels/) })
    await expectSound(outputPath, ranges)
  })

  it('after mono, in both channels, of which one is inverted', async () => {
    const file = await changingSound([part('libmp3lame', 'mono'), part('libmp3lame', 'opposed')], 'mp3')
    for (const ranges of [
      [{ start: 12, end: 19 }],
      [
        { start: 11.5, end: 14 },
        { start: 15.5, end: 19 },
      ],
    ]) {
      const { outputPath, info } = await make(file, ranges, { format: 'wav' })
      expect(info.audio[0]?.channels).toBe(2)
      await expectSound(outputPath, ranges)
    }
    const silences = (await runEndpoint(detectSilenceEndpoint, { file, start: 12, end: 18 })).result['silences']
    expect(silences).toEqual([
      { start: expect.closeTo(14, 0.5), end: expect.closeTo(15, 0.5), duration: expect.closeTo(1, 0.5) },
    ])
  })

  it('after stereo, in the mix of 5.1 that it has at the start of a track', async () => {
    const levelOf = async (file: string, start: number) => {
      const { outputPath } = await make(file, [{ start, end: start + 7 }], { format: 'mp3' })
      return (await sounding(outputPath))[0]?.level
    }
    expect(await levelOf(await advertised(), 12)).toBeCloseTo((await levelOf(await broadcast(), 2)) ?? 0, 0)
  })

  it('in pieces of a long clip', async () => {
    const file = await broadcast()
    for (const ranges of [whole, several]) {
      const { store } = storeIn(temporaryFolder())
      // The second attempt takes the pieces from the store.
      for (let attempt = 0; attempt < 2; attempt++) {
        const { outputPath, receipt } = await make(file, ranges, { pieceSeconds: 2, store })
        await expectSound(outputPath, ranges)
        expect(receipt.remarks).toEqual(['changing'])
      }
    }
  })

  it('at another loudness', async () => {
    const { outputPath } = await make(await broadcast(), whole, { loudnessLufs: -20 })
    await expectSound(outputPath, whole, 12)
  })

  it('has the widest layout, and its own level', async () => {
    const { outputPath, info, receipt } = await make(await advertised(), [{ start: 5, end: 25 }])
    expect(info.audio[0]?.channels).toBe(6)
    expect(receipt.substitutions).toContain('audio channels 2 -> 6')
    await expectSound(outputPath, [{ start: 5, end: 25 }])
  })
})
