import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { contentsOf, withContents } from '../../../src/media/copying/rewrite-samples.ts'
import { readRangePackets } from '../../../src/media/copying/smart-plan.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { clipFile } from '../clip-file.ts'
import { framesOf, never, temporaryFolder, testFfmpeg } from '../measure.ts'

function make(file: string, mode: CutMode, ranges: readonly Segment[], format?: ClipFormat) {
  return clipFile(mode, file, { ranges, ...(format && { format }) })
}

/** The numbers of the frames that a player shows, modulo 15, which the fixtures' brightness states. */
async function shownNumbers(file: string): Promise<number[]> {
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-map',
    '0:v:0',
    '-vf',
    'scale=2:2:flags=neighbor,format=yuv420p',
    '-fps_mode',
    'passthrough',
    '-f',
    'rawvideo',
    '-',
  ]
  const { stdout } = await promisify(execFile)(mediaTools.ffmpegPath, args, { encoding: 'buffer', maxBuffer: 2 ** 26 })
  return Array.from({ length: stdout.length / 6 }, (_, index) => stdout[index * 6] ?? -1)
}

const start: readonly Segment[] = [{ start: 0, end: 3 }]

it.each([
  ['trimmed.mov', 'copy'],
  ['trimmed.mov', 'smart'],
  ['trimmed.mov', 'exact'],
  ['trimmed.mp4', 'copy'],
] as const)('what %s hides before its start stays hidden: %s', async (name: FixtureName, mode) => {
  const file = await fixture(name)
  const [source] = await shownNumbers(file)
  const { receipt, outputPath, durationSeconds } = await make(file, mode, start)
  const numbers = await shownNumbers(outputPath)
  expect(receipt).toMatchObject({ mode, fallbackReason: null })
  expect(Math.abs((numbers[0] ?? -99) - (source ?? 99))).toBeLessThanOrEqual(2)
  expect(receipt.presented.start).toBeCloseTo(0, 2)
  expect(receipt.ranges[0]?.presented.start).toBeCloseTo(0, 2)
  expect(durationSeconds).toBeCloseTo(3, 0)
  expect(numbers.length).toBeLessThan(94)
})

it('also where ranges are joined', async () => {
  const file = await fixture('trimmed.mov')
  const [source] = await shownNumbers(file)
  const { receipt, outputPath } = await make(file, 'copy', [
    { start: 0, end: 0.4 },
    { start: 3.2, end: 4 },
  ])
  const numbers = await shownNumbers(outputPath)
  expect(receipt.mode).toBe('copy')
  expect(Math.abs((numbers[0] ?? -99) - (source ?? 99))).toBeLessThanOrEqual(2)
})

const edits = ['moov', 'trak', 'edts', 'elst']

/** A picture of two parts of the film, and a gap at the start if asked for. */
async function edited(parts: readonly { seconds: number; mediaTime: number }[]): Promise<string> {
  const bytes = await readFile(await fixture('numbered.mp4'))
  const at = bytes.lastIndexOf('moov') - 4
  const index = bytes.subarray(at)
  const movieScale = contentsOf(index, ['moov', 'mvhd']).readUInt32BE(12)
  const list = Buffer.alloc(8 + 12 * parts.length)
  list.writeUInt32BE(parts.length, 4)
  for (const [number, { seconds, mediaTime }] of parts.entries()) {
    list.writeUInt32BE(Math.round(seconds * movieScale), 8 + 12 * number)
    list.writeInt32BE(mediaTime, 12 + 12 * number)
    list.writeUInt32BE(1 << 16, 16 + 12 * number)
  }
  const file = path.join(temporaryFolder(), 'edited.mp4')
  await writeFile(file, Buffer.concat([bytes.subarray(0, at), withContents(index, edits, list)]))
  return file
}

/** Ticks of numbered.mp4, of which the first frame is shown after two frames. */
const ticks = (frames: number) => (frames + 2) * 512

it.each(['copy', 'smart'] as const)('a picture that is put together of several parts is encoded: %s', async (mode) => {
  const file = await edited([
    { seconds: 1.5, mediaTime: ticks(0) },
    { seconds: 2, mediaTime: ticks(100) },
  ])
  const { receipt, outputPath } = await make(file, mode, [{ start: 0.5, end: 3 }])
  expect(receipt).toMatchObject({
    mode: 'exact',
    fallbackReason: 'the media cuts out a part of the picture',
    framesEncoded: 75,
  })
  const shown = await framesOf(outputPath)
  const source = (await framesOf(await fixture('numbered.mp4'))).map(({ luma }) => luma)
  const wanted = [...source.slice(15, 45), ...source.slice(100, 145)]
  expect(shown.map(({ luma }, index) => Math.abs(luma - (wanted[index] ?? 0)) <= 3).every(Boolean)).toBe(true)
})

it('looks for what is cut out while it reads the packets of a smart clip, and not in a pass of its own', async () => {
  const ffmpeg = testFfmpeg()
  const file = await fixture('numbered.mp4')
  const input = {
    tracks: await readTracks({ path: file, format: 'mp4' }, ffmpeg, never),
    ranges: [{ start: 1, end: 4 }],
    ...plainClip(),
    ...{ format: 'mp4' as const, outputPath: path.join(temporaryFolder(), 'clip.mp4') },
  }
  let passes = 0
  const probe: Ffmpeg['probe'] = (run) => {
    passes += 1
    return ffmpeg.probe(run)
  }
  await readRangePackets({ ...input, ffmpeg: { ...ffmpeg, probe } })
  expect(passes).toBe(1)
})

it.each(['smart', 'exact'] as const)('a picture that begins after the sound keeps its delay: %s', async (mode) => {
  const file = await edited([
    { seconds: 1, mediaTime: -1 },
    { seconds: 4, mediaTime: ticks(0) },
  ])
  const { receipt, outputPath } = await make(file, mode, [{ start: 0, end: 4 }])
  expect(receipt).toMatchObject({ mode, fallbackReason: null })
  const [first] = await framesOf(outputPath)
  expect(first?.pts).toBeCloseTo(1, 2)
})

it('a container that cannot hide the start gets an exact clip', async () => {
  const { receipt } = await make(await fixture('trimmed-vp9.mp4'), 'copy', start, 'webm')
  expect(receipt).toMatchObject({ mode: 'exact', fallbackReason: 'webm cannot hide the start that the media hides' })
})
