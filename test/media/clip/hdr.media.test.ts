import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { placeCues, type ShownRange } from '../../../src/core/captions.ts'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { contentsOf, sampleTable, withContents } from '../../../src/media/copying/rewrite-samples.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { lookOf } from '../../setup/caption-look.ts'
import { mediaTools } from '../../setup/tools.ts'
import { clipFile } from '../clip-file.ts'
import { colourOf, lumaOf, masteringOf, pictureOf, temporaryFolder } from '../measure.ts'

interface Asked {
  readonly ranges?: readonly Segment[]
  readonly format?: ClipFormat
  readonly caption?: string
}

async function make(mode: CutMode, name: FixtureName, asked?: Asked) {
  return makeFrom(mode, await fixture(name), asked)
}

async function makeFrom(mode: CutMode, file: string, { ranges = [{ start: 0.5, end: 1.5 }], ...asked }: Asked = {}) {
  const { caption, ...format } = asked
  const cues = [{ start: 0, end: 6, text: caption ?? '' }]
  const place = (shown: readonly ShownRange[]) => placeCues(cues, shown)
  const captions = caption ? { look: lookOf('large'), place } : null
  return { ...(await clipFile(mode, file, { ranges, captions, ...format })), file }
}

/** Of black, of the white of paper and of a highlight. */
async function barsOf(file: string): Promise<number[]> {
  const { width, height, rgb } = await pictureOf(file)
  return [1 / 6, 3 / 6, 5 / 6].map(
    (across) => rgb[3 * (Math.floor(height / 2) * width + Math.floor(across * width)) + 1] ?? -1,
  )
}

/** Of hdr10.mp4. */
const screen = '0.0001,0.3127,0.6800,0.6900,1000.0000,1000.0000,400.0000'

function expectShownBars([black = -1, white = -1, highlight = -1]: readonly number[]) {
  expect(black).toBeLessThanOrEqual(3)
  expect(white).toBeGreaterThanOrEqual(230)
  expect(highlight).toBeGreaterThan(white + 5)
}

/** In cd/m², of a signal between 0 and 1 (ITU-R BT.2100, tables 4 and 5, on a screen of 1,000 cd/m²). */
const brightness = {
  'hdr10.mp4': (signal: number) => {
    const root = signal ** (1 / 78.84375)
    return 10_000 * (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  },
  'hlg.mp4': (signal: number) => {
    const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return 1_000 * scene ** 1.2
  },
}

describe.each(['hdr10.mp4', 'hlg.mp4'] as const)('a clip of %s', (name) => {
  it.each([
    ['exact', 'mp4'],
    ['exact', 'mov'],
    ['exact', 'webm'],
    ['smart', 'mp4'],
    ['copy', 'mp4'],
  ] as const)('keeps its depth, its colours and what is known of its screen: %s, %s', async (mode, format) => {
    const { receipt, file, outputPath } = await make(mode, name, { format, ranges: [{ start: 0.5, end: 4.5 }] })
    expect(receipt).toMatchObject({ mode, substitutions: format === 'webm' ? expect.anything() : [] })
    expect(await colourOf(outputPath)).toBe(await colourOf(file))
    // The source says it in its picture only.
    expect(mode === 'copy' ? '' : await masteringOf(outputPath)).toBe(
      mode === 'copy' || name === 'hlg.mp4' ? '' : screen,
    )
  })

  it('has a poster in which white is white, and highlights are brighter', async () => {
    const { poster } = await make('exact', name)
    expectShownBars(await barsOf(poster?.path ?? ''))
  })

  it('has captions of the white of paper', async () => {
    const { outputPath } = await make('exact', name, { caption: 'M'.repeat(17) })
    const before = await make('exact', name)
    const [captioned, plain] = [await lumaOf(outputPath), await lumaOf(before.outputPath)]
    const onBlack = (luma: Uint16Array) => luma.filter((_, at) => at % 320 < 98)
    expect(Math.max(...onBlack(plain))).toBeLessThan(80)
    // Encoders blur edges, and draw brighter lines beside them.
    const inLetters = onBlack(captioned)
      .filter((luma) => luma > 500)
      .toSorted()
    const white = brightness[name](((inLetters[inLetters.length >> 1] ?? 0) - 64) / 876)
    expect(white).toBeGreaterThan(203 * 0.9)
    expect(white).toBeLessThan(203 * 1.1)
  })
})

/** Dolby Vision on top of HLG, as phones record it: profile 8, which is compatible with 4. */
async function asDolbyVision(file: string): Promise<string> {
  const bytes = await readFile(file)
  const at = bytes.lastIndexOf('moov') - 4
  const entry = [...sampleTable, 'stsd', 'hvc1']
  const record = Buffer.alloc(32)
  record.writeUInt32BE(32)
  record.write('dvvC', 4, 'latin1')
  record.set([1, 0, 8 << 1, (4 << 3) | 5, 4 << 4], 8)
  const index = bytes.subarray(at)
  const made = path.join(temporaryFolder(), 'dolby-vision.mp4')
  const described = withContents(index, entry, Buffer.concat([contentsOf(index, entry), record]))
  await writeFile(made, Buffer.concat([bytes.subarray(0, at), described]))
  return made
}

it.each(['exact', 'smart', 'copy'] as const)('a clip of Dolby Vision is HLG, and says so: %s', async (mode) => {
  const file = await asDolbyVision(await fixture('hlg.mp4'))
  const { receipt, outputPath } = await makeFrom(mode, file, { ranges: [{ start: 0.5, end: 4.5 }] })
  expect(receipt).toMatchObject({ mode, substitutions: ['dynamic range Dolby Vision -> HLG'] })
  expect(await colourOf(outputPath)).toBe(await colourOf(file))
})

/** Two seconds, described scene by scene as televisions read it (ETSI TS 103 433-1, and the JSON of x265). */
async function withHdr10Plus(): Promise<string> {
  const folder = temporaryFolder()
  const [described, file] = [path.join(folder, 'scenes.json'), path.join(folder, 'hdr10-plus.mp4')]
  const scene = (frame: number) => ({
    BezierCurveData: { Anchors: [102, 205, 307, 410, 512, 614, 717, 819, 922], KneePointX: 0, KneePointY: 0 },
    LuminanceParameters: {
      AverageRGB: 3380,
      LuminanceDistributions: {
        DistributionIndex: [1, 5, 10, 25, 50, 75, 90, 95, 99],
        DistributionValues: [0, 1, 2, 3, 4, 5, 6, 7, 8],
      },
      MaxScl: [16190, 15310, 21890],
    },
    NumberOfWindows: 1,
    TargetedSystemDisplayMaximumLuminance: 400,
    ...{ SceneFrameIndex: frame, SceneId: 0, SequenceFrameIndex: frame },
  })
  const SceneInfo = Array.from({ length: 60 }, (_, frame) => scene(frame))
  await writeFile(described, JSON.stringify({ JSONInfo: { HDR10plusProfile: 'B', Version: '1.0' }, SceneInfo }))
  await promisify(execFile)(mediaTools.ffmpegPath, [
    ...[
      '-v',
      'error',
      '-i',
      await fixture('hdr10.mp4'),
      '-t',
      '2',
      '-c:a',
      'copy',
      '-c:v',
      'libx265',
      '-tag:v',
      'hvc1',
    ],
    ...['-x265-params', `hdr10=1:keyint=10:log-level=error:dhdr10-info=${described}`, file],
  ])
  return file
}

it.each([
  ['exact', ['dynamic range HDR10+ -> PQ']],
  ['copy', []],
] as const)('a clip says whether it leaves HDR10+ out: %s', async (mode, substitutions) => {
  const { receipt } = await makeFrom(mode, await withHdr10Plus())
  expect(receipt).toMatchObject({ mode, substitutions })
})
