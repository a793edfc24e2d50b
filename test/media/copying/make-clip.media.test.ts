import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClipFormat, clipFormatOf } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import type { LeadBudget } from '../../../src/media/clip/lead-budget.ts'
import type { CopyBudget } from '../../../src/media/copying/copy-bounds.ts'
import { makeClip } from '../../../src/media/copying/make-clip.ts'
import { unitsIn } from '../../../src/media/copying/nal-units.ts'
import { contentsOf, sampleTable, withContents } from '../../../src/media/copying/rewrite-samples.ts'
import { readFrameHashes } from '../../../src/media/copying/verify-smart.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { film } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { decodeErrors, endsOf, framesOf, never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

interface Options {
  readonly format?: ClipFormat
  readonly loudnessLufs?: number
  readonly isDecodable?: boolean
  readonly budget?: CopyBudget
  readonly leads?: LeadBudget
}

async function make(mode: CutMode, file: string, ranges: readonly Segment[], options: Options = {}) {
  const info = await inspectFile(file, ffmpeg, never)
  const format = options.format ?? clipFormatOf(info)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const tracks = await readTracks({ path: file, format: info.format }, ffmpeg, never)
  const plain = plainClip()
  const clip = await makeClip(mode, {
    ...plain,
    ...{ tracks, ranges, format, outputPath, ffmpeg, loudnessLufs: options.loudnessLufs ?? null },
    leadBudget: options.leads ?? plain.leadBudget,
    copyBudget: options.budget ?? plain.copyBudget,
  })
  if (options.isDecodable === false) return { ...clip.receipt, outputPath, frames: [] }
  expect(await decodeErrors(outputPath)).toBe('')
  return { ...clip.receipt, outputPath, frames: await framesOf(outputPath) }
}

/** A film of ten seconds whose groups of pictures have a second each. */
async function grouped(name: string, ...options: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=192x108:rate=25:duration=10', '-pix_fmt', 'yuv420p']
  await runFfmpeg('-f', 'lavfi', '-i', 'sine=duration=10', ...picture, ...options, file)
  return file
}

/** An index (moov) whose first track has its description twice, and uses the second from this chunk on. */
function withSecondDescription(index: Buffer, fromChunk: number): Buffer {
  const path = (box: string) => [...sampleTable, box]
  const entry = contentsOf(index, path('stsd'))
  const described = withContents(index, path('stsd'), Buffer.concat([entry, entry]))
  // The number of descriptions is before them.
  described.writeUInt32BE(2, described.indexOf('stsd') + 8)
  const chunks = contentsOf(described, path('stsc'))
  const runs = Array.from({ length: chunks.readUInt32BE(4) }, (_, run) => chunks.subarray(8 + 12 * run, 20 + 12 * run))
  const before = runs.filter((run) => run.readUInt32BE(0) < fromChunk)
  const second = Buffer.from(before.at(-1) ?? chunks)
  second.writeUInt32BE(fromChunk, 0)
  const changed = [...before, second, ...runs.slice(before.length).map((run) => Buffer.from(run))]
  for (const run of changed.slice(before.length)) run.writeUInt32BE(2, 8)
  const counted = Buffer.from(chunks.subarray(0, 8))
  counted.writeUInt32BE(changed.length, 4)
  return withContents(described, path('stsc'), Buffer.concat([counted, ...changed]))
}

/** The decoded frames of the picture. */
async function hashesOf(file: string): Promise<string[]> {
  const run = { input: { path: file, format: 'mp4' }, outputOptions: ['-map', '0:v'], deadlineSeconds: 60 } as const
  const hashes: string[] = []
  await readFrameHashes(ffmpeg, { ...run, signal: never, pixels: 192 * 108 }, ({ hash }) => hashes.push(hash))
  return hashes
}

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac']

/** A film of 80 seconds whose options can force more keyframes. */
async function withOneKeyframe(...options: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'one-keyframe.mp4')
  const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5:duration=80', '-pix_fmt', 'yuv420p']
  const encoder = [...x264.slice(0, 4), '-g', '9999', ...options]
  await runFfmpeg(...picture, ...encoder, file)
  return file
}

const talk: readonly Segment[] = [
  { start: 0.53, end: 3.31 },
  { start: 3.9, end: 6.2 },
  { start: 8.02, end: 9.77 },
]

describe('smart', () => {
  it('joins ranges with the frames and the times of an exact clip, and copies what lies between keyframes', async () => {
    const file = await grouped('talk.mp4', ...x264, '-bf', '2')
    const exact = await make('exact', file, talk)
    const smart = await make('smart', file, talk)
    expect(smart).toMatchObject({ mode: 'smart', fallbackReason: null })
    expect(smart.framesCopied).toBe(75 + 25 * 2)
    expect(smart.framesCopied + smart.framesEncoded).toBe(exact.framesEncoded)
    expect(Math.abs(smart.driftSeconds)).toBeLessThan(1 / 25)
    expect(smart.frames).toHaveLength(exact.frames.length)
    for (const [index, { pts, luma }] of smart.frames.entries()) {
      expect(Math.abs(pts - (exact.frames[index]?.pts ?? 0))).toBeLessThan(0.001)
      expect(Math.abs(luma - (exact.frames[index]?.luma ?? 0))).toBeLessThanOrEqual(6)
    }
    const ends = await endsOf(smart.outputPath)
    expect(Math.abs(ends.audio - ends.video)).toBeLessThan(1 / 25)
  })

  it.each([
    ['vp9.mp4', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '25'], /picture is vp9/],
    ['interlaced.mp4', [...x264, '-x264-params', 'tff=1'], /interlaced/],
    [
      'still.mp4',
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '999', '-sc_threshold', '0'],
      /no whole group of pictures/,
    ],
  ])('is exact for %s, and says why', async (name, options, reason) => {
    const file = await grouped(name, ...options)
    const clip = await make('smart', file, [{ start: 0.5, end: 3.5 }])
    expect(clip).toMatchObject({ mode: 'exact', framesCopied: 0, framesEncoded: 75 })
    expect(clip.fallbackReason).toMatch(reason)
  })

  it('shows no frame from before its start where ticks are as long as frames', async () => {
    const file = await grouped('coarse.mp4', ...x264, '-video_track_timescale', '25')
    const range = [{ start: 1.015, end: 3.5 }]
    const [exact, smart] = [await make('exact', file, range), await make('smart', file, range)]
    expect(exact.frames).toHaveLength(62)
    expect(smart).toMatchObject({ mode: 'smart', fallbackReason: null })
    expect(smart.frames).toHaveLength(62)
    for (const [index, { luma }] of smart.frames.entries())
      expect(Math.abs(luma - (exact.frames[index]?.luma ?? 0))).toBeLessThanOrEqual(6)
  })

  it('shows the right pictures where the parameter sets change within what it copies', async () => {
    const parts = [await grouped('one.mp4', ...x264), await grouped('other.mp4', ...x264, '-bf', '3', '-refs', '4')]
    const folder = temporaryFolder()
    const [list, file] = [path.join(folder, 'list.txt'), path.join(folder, 'changing.mp4')]
    await writeFile(list, parts.map((part) => `file '${part}'\n`).join(''))
    await runFfmpeg('-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', file)
    const range = [{ start: 8.5, end: 12.5 }]
    const [exact, smart] = [await make('exact', file, range), await make('smart', file, range)]
    expect(smart.frames).toHaveLength(exact.frames.length)
    for (const [index, { luma }] of smart.frames.entries())
      expect(Math.abs(luma - (exact.frames[index]?.luma ?? 0))).toBeLessThanOrEqual(6)
  })
})

it.each(['exact', 'smart'] as const)(
  '%s clips of a job fail once too much is decoded in front of them',
  async (mode) => {
    const file = await withOneKeyframe()
    const leads = { secondsLeft: 100 }
    const late = [{ start: 70, end: 71 }]
    expect(await make(mode, file, late, { leads })).toMatchObject({ mode: 'exact', framesEncoded: 5 })
    await expect(make(mode, file, late, { leads })).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('"join": true'),
    })
  },
)

it('smart clips fail once too much is decoded in front of what they encode', async () => {
  const file = await withOneKeyframe('-force_key_frames', '70.5,71,71.5')
  const leads = { secondsLeft: 100 }
  const late = [{ start: 70, end: 71.5 }]
  expect(await make('smart', file, late, { leads })).toMatchObject({ mode: 'smart' })
  expect(leads.secondsLeft).toBeCloseTo(30, 1)
  await expect(make('smart', file, late, { leads })).rejects.toMatchObject({ code: 'processing_failed' })
})

describe('smart, of parameter sets among the frames', () => {
  const startCode = Buffer.from([0, 0, 0, 1])

  /** Four seconds of H.264 without a container, with parameter sets before every group. */
  async function rawUnits(...options: readonly string[]): Promise<Buffer[]> {
    const file = path.join(temporaryFolder(), 'raw.h264')
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=192x108:rate=25:duration=4', '-pix_fmt', 'yuv420p']
    await runFfmpeg(...picture, ...x264.slice(0, 6), '-bf', '0', ...options, '-f', 'h264', file)
    return [...unitsIn(await readFile(file), 4)]
  }

  async function filmOf(...units: readonly Buffer[]): Promise<string> {
    const folder = temporaryFolder()
    const [raw, file] = [path.join(folder, 'film.h264'), path.join(folder, 'film.mp4')]
    await writeFile(raw, Buffer.concat(units.flatMap((unit) => [startCode, unit])))
    await runFfmpeg('-r', '25', '-f', 'h264', '-i', raw, '-c', 'copy', file)
    return file
  }

  const isSet = (unit: Buffer) => [7, 8].includes((unit[0] ?? 0) & 0x1f)
  const range = [{ start: 1.37, end: 6.71 }]

  it('is exact where they change once, because later keyframes are decoded with others', async () => {
    const first = await rawUnits('-x264-params', 'chroma-qp-offset=-12')
    const second = await rawUnits('-x264-params', 'chroma-qp-offset=12')
    const once = second.filter((unit, index) => !isSet(unit) || index < second.findIndex((each) => !isSet(each)))
    const clip = await make('smart', await filmOf(...first, ...once), range)
    expect(clip).toMatchObject({ mode: 'exact', framesCopied: 0 })
    expect(clip.fallbackReason).toMatch(/parameter sets of the picture change/)
  })

  it('is smart where they repeat those of the file', async () => {
    const units = await rawUnits()
    expect(units.filter(isSet).length).toBeGreaterThan(2)
    expect(await make('smart', await filmOf(...units), [{ start: 0.5, end: 3.5 }])).toMatchObject({ mode: 'smart' })
  })
})

describe('copy', () => {
  it('starts at the keyframe before each range, shows all that it stores, and makes one of ranges that meet', async () => {
    const file = await grouped('talk.mp4', ...x264, '-bf', '2')
    const clip = await make('copy', file, talk)
    expect(clip).toMatchObject({ mode: 'copy', framesEncoded: 0, framesCopied: clip.frames.length })
    expect(clip.ranges.map(({ presented }) => Math.round(presented.start))).toEqual([0, 8])
    expect(clip.ranges[1]?.atSeconds).toBeCloseTo(clip.ranges[0]?.presented.end ?? 0, 3)
    expect(clip.stored.start).toBeCloseTo(clip.presented.start, 3)
    expect(clip.driftSeconds).toBeGreaterThan(0.5)
  })

  it('has the sound from before a picture that starts late', async () => {
    const film = await grouped('whole.mp4', ...x264, '-bf', '2')
    const file = path.join(temporaryFolder(), 'late-picture.mp4')
    const inputs = ['-i', film, '-itsoffset', '0.9', '-i', film]
    await runFfmpeg(...inputs, '-map', '0:a', '-map', '1:v', '-c', 'copy', file)
    const copy = await make('copy', file, [{ start: 0.5, end: 4 }])
    expect(copy).toMatchObject({ mode: 'copy', fallbackReason: null })
    // To the packet of the sound.
    expect(copy.presented.start - 0.5).toBeLessThan(0.024)
    expect(copy.presented.end - 4).toBeGreaterThanOrEqual(0)
    expect(copy.presented.end - 4).toBeLessThan(0.2)
    expect((copy.frames[0]?.pts ?? 0) + copy.presented.start).toBeCloseTo(0.9, 1)
    const ends = await endsOf(copy.outputPath)
    expect(Math.abs(ends.audio - ends.video)).toBeLessThan(1 / 25)
  })

  /** Pictures over sound of `soundSeconds`, with a keyframe each second. */
  const overSound = async (name: string, soundSeconds: number, pictures: string, ...options: readonly string[]) => {
    const file = path.join(temporaryFolder(), name)
    const sound = `sine=sample_rate=48000:duration=${soundSeconds}`
    const encoding = ['-fps_mode', 'vfr', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']
    await runFfmpeg('-f', 'lavfi', '-i', sound, '-f', 'lavfi', '-i', pictures, ...encoding, ...options, file)
    return file
  }

  it.each([
    ['pauses', 'p.mp4', 9, 12, ['-bf', '0']],
    ['pauses behind frames that refer to one behind the pause', 'b.mp4', 16.3, 12, ['-bf', '3']],
    ['pauses in HEVC', 'hevc.mp4', 16.4, 12, ['-c:v', 'libx265', '-x265-params', 'log-level=error']],
    ['ends before the sound', 'ends.mp4', 9, 0, ['-bf', '3']],
  ])('has the sound of a range in which the picture %s', async (_case, name, end, pause, options) => {
    const pictures = `testsrc2=size=192x108:rate=25:duration=5,setpts='PTS+gte(T,4.2)*${pause}/TB'`
    const file = await overSound(name, 20, pictures, ...options)
    for (const mode of ['copy', 'smart'] as const) {
      const clip = await make(mode, file, [{ start: 2.5, end: 9 }])
      if (mode === 'copy') expect(clip.fallbackReason).toBeNull()
      expect(clip.presented.end).toBeCloseTo(mode === 'smart' ? 9 : end, 1)
      const { length } = await pcmOf(clip.outputPath)
      expect(length / 48_000).toBeCloseTo(clip.presented.end - clip.presented.start, 1)
    }
  })

  it('ends with its range in a lecture that shows each picture for a minute', async () => {
    const file = await overSound('lecture.mp4', 240, 'testsrc2=size=192x108:rate=1/60:duration=240', '-g', '1')
    for (const mode of ['copy', 'smart'] as const) {
      const { presented, fallbackReason } = await make(mode, file, [{ start: 60, end: 62 }])
      if (mode === 'copy') expect(fallbackReason).toBeNull()
      expect(presented.start).toBeCloseTo(60, 1)
      expect(presented.end).toBeCloseTo(62, 1)
    }
  })

  it('has the sound alone minutes behind the end of the picture, before which nothing is decoded', async () => {
    const file = await overSound('lost.mp4', 400, 'testsrc2=size=192x108:rate=25:duration=2')
    const clip = await make('exact', file, [{ start: 300, end: 310 }], {
      leads: { secondsLeft: 0 },
      isDecodable: false,
    })
    expect(clip).toMatchObject({ videoCodec: null, droppedStreams: ['video (h264)'] })
    expect(clip.presented.start).toBeCloseTo(300, 5)
    expect(clip.presented.end).toBeCloseTo(310, 5)
  })

  it('leaves out the leading pictures of an open group, and shows the frames that the source shows', async () => {
    const file = await grouped('open.mp4', ...x264, '-x264-params', 'open-gop=1:bframes=2')
    const range = [{ start: 1.5, end: 3.5 }]
    expect((await make('smart', file, range)).fallbackReason).toMatch(/no whole group of pictures/)
    // The decoder says that references which it should forget are not there (ITU-T H.264, 8.2.5.4): they came before the copy.
    const clip = await make('copy', file, range, { isDecodable: false })
    expect(clip).toMatchObject({ mode: 'copy', presented: { start: 1 } })
    const [shown, whole] = [await hashesOf(clip.outputPath), await hashesOf(file)]
    expect(shown).toHaveLength(clip.framesCopied)
    expect(shown).toEqual(whole.slice(25, 25 + shown.length))
  })

  it('is exact where a later range would start at a picture of an open group, which a decoder mixes with those before it', async () => {
    const file = await grouped('open.mp4', ...x264, '-x264-params', 'open-gop=1:bframes=2')
    const clip = await make('copy', file, [
      { start: 0, end: 2 },
      { start: 5.2, end: 7 },
    ])
    expect(clip).toMatchObject({ mode: 'exact', framesEncoded: 95, framesCopied: 0 })
    expect(clip.fallbackReason).toMatch(/does not begin a sequence/)
  })

  it('cuts AV1, of which smart copies nothing', async () => {
    const file = await grouped('av1.mp4', '-c:v', 'libsvtav1', '-preset', '12', '-g', '25', '-svtav1-params', 'lp=1')
    const clip = await make('copy', file, [{ start: 2.5, end: 3.5 }])
    expect(clip).toMatchObject({ mode: 'copy', videoCodec: 'av1', framesEncoded: 0, presented: { start: 2 } })
    const smart = await make('smart', file, [{ start: 2.5, end: 3.5 }])
    expect(smart).toMatchObject({ mode: 'exact', videoCodec: 'h264', framesEncoded: 25 })
    expect(smart.fallbackReason).toBe('smart copies H.264 and HEVC only, and the picture is av1')
    expect(smart.substitutions).toContain('video codec av1 -> h264')
  })

  it('is exact where the description of the picture changes, which packets that are cut out would bring', async () => {
    const file = await grouped('described.mp4', ...x264)
    const bytes = await readFile(file)
    const at = bytes.lastIndexOf('moov') - 4
    const index = withSecondDescription(bytes.subarray(at), 5)
    await writeFile(file, Buffer.concat([bytes.subarray(0, at), index]))
    const clip = await make('copy', file, [{ start: 8.5, end: 9.5 }])
    expect(clip).toMatchObject({ mode: 'exact', framesEncoded: 25, framesCopied: 0 })
    expect(clip.fallbackReason).toMatch(/description of the picture changes/)
  })

  it('fails if the source has no picture where its index lists one', async () => {
    const file = await grouped('empty.mp4', '-c:v', 'libx265', '-x265-params', 'log-level=none', '-c:a', 'aac')
    const bytes = await readFile(file)
    // The sizes of packets (stsz): the number of them, and the list.
    const sizesAt = bytes.indexOf('stsz') + 16
    bytes.fill(0, sizesAt, sizesAt + 4 * bytes.readUInt32BE(sizesAt - 4))
    await writeFile(file, bytes)
    await expect(make('copy', file, [{ start: 0.5, end: 3.5 }])).rejects.toMatchObject({ code: 'processing_failed' })
  })

  it('is exact where it cannot be: another loudness, and another container', async () => {
    const range = [{ start: 0.5, end: 2 }]
    expect(await make('copy', film, range, { loudnessLufs: -20 })).toMatchObject({
      mode: 'exact',
      fallbackReason: expect.stringMatching(/loudness/),
    })
    expect(await make('copy', film, range, { format: 'webm' })).toMatchObject({
      mode: 'exact',
      fallbackReason: expect.stringMatching(/h264 is not copied into webm/),
    })
  })

  it('is exact where the keyframe is far before a short range', async () => {
    const file = await withOneKeyframe()
    const late = await make('copy', file, [{ start: 50, end: 51 }])
    expect(late).toMatchObject({ mode: 'exact', framesEncoded: 5 })
    expect(late.fallbackReason).toMatch(/more than 30 seconds apart/)
    expect(await make('copy', file, [{ start: 20, end: 21 }])).toMatchObject({ mode: 'copy', presented: { start: 0 } })
  })

  it('is exact once the copies of a job are together larger than twice the source', async () => {
    const budget = { bytesLeft: 1 }
    const range = [{ start: 0.5, end: 2 }]
    expect(await make('copy', film, range, { budget })).toMatchObject({ mode: 'copy' })
    expect(budget.bytesLeft).toBeLessThan(0)
    for (const mode of ['copy', 'smart'] as const) {
      expect(await make(mode, film, range, { budget })).toMatchObject({
        mode: 'exact',
        fallbackReason: expect.stringMatching(/twice the source/),
      })
    }
  })
})

it.each([
  ['mp3', 48_000],
  ['mp3', 8_000],
  ['mp3', 44_100],
  ['m4a', 48_000],
  ['opus', 48_000],
] as const)('copied %s of %i Hz has the sound of its range, at the times of its receipt', async (extension, rate) => {
  const file = path.join(temporaryFolder(), `noise.${extension}`)
  const noise = `anoisesrc=duration=6:seed=1:amplitude=0.3:sample_rate=${rate},lowpass=1000`
  await runFfmpeg('-f', 'lavfi', '-i', noise, file)
  const range = { start: 2.01, end: 4.03 }
  const { mode, presented, outputPath } = await make('copy', file, [range], { isDecodable: false })
  expect(mode).toBe('copy')
  expect(presented.start).toBeLessThanOrEqual(range.start)
  expect(presented.end).toBeGreaterThanOrEqual(range.end)
  const [source, clip] = [await pcmOf(file), await pcmOf(outputPath)]
  const offset = Math.round(presented.start * rate)
  const differences = Array.from({ length: Math.floor((range.end - range.start) * rate) }, (_, index) => {
    const at = Math.ceil(range.start * rate) + index
    return Math.abs((source[at] ?? 0) - (clip[at - offset] ?? 0))
  })
  const largest = (samples: readonly number[]) => samples.reduce((most, each) => Math.max(most, each), 0)
  expect(largest([...source])).toBeGreaterThan(3_000)
  expect(largest(differences.slice(0, -1))).toBeLessThan(300)
})
