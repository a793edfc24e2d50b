import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type ClipFormat, clipFormatOf } from '../../../src/core/media.ts'
import { cutClip, cutPieces } from '../../../src/media/clip/cut.ts'
import { makePiece, piecesOf } from '../../../src/media/clip/video-pieces.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import type { PieceStore } from '../../../src/media/obtain-piece.ts'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import {
  colourOf,
  decodeErrors,
  endsOf,
  framesOf,
  never,
  pcmOf,
  soundPacketsOf,
  temporaryFolder,
  testFfmpeg,
} from '../measure.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

interface Cut {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly format?: ClipFormat
  readonly audioOnly?: boolean
  readonly quality?: 'high' | 'balanced' | 'fast'
  readonly pieceSeconds?: number
  readonly store?: PieceStore
}

async function inputOf({ file, start, end, audioOnly = false, quality = 'fast', ...options }: Cut) {
  const info = await inspectFile(file, ffmpeg, never)
  const format = options.format ?? clipFormatOf(info)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  return {
    ...plainClip(),
    ...options,
    tracks: await readTracks({ path: file, format: info.format }, ffmpeg, never),
    window: { start, end },
    ...{ format, quality, audioOnly, outputPath, ffmpeg },
  }
}

async function cut(asked: Cut) {
  const input = await inputOf(asked)
  const { outputPath } = input
  const clip = await cutClip(input)
  expect(await decodeErrors(outputPath)).toBe('')
  expect(clip.receipt.decodeErrors).toBe(0)
  return { ...clip, outputPath, info: await inspectFile(outputPath, ffmpeg, never) }
}

/** The clip shows the source's frames from `start` to `end`, each at its own time. */
async function expectFrames(source: string, clip: string, start: number, end: number, originSeconds = 0) {
  const all = (await framesOf(source)).map(({ pts, luma }) => ({ pts: pts - originSeconds, luma }))
  const window = all.filter(({ pts }) => pts >= start - 0.0005 && pts < end - 0.0005)
  const made = await framesOf(clip)
  expect(made).toHaveLength(window.length)
  for (const [index, { pts, luma }] of made.entries()) {
    expect(Math.abs(luma - (window[index]?.luma ?? 0)), `frame ${index}`).toBeLessThanOrEqual(3)
    expect(Math.abs(pts + start - (window[index]?.pts ?? 0)), `time of frame ${index}`).toBeLessThan(0.002)
  }
}

/** MP4 rounds the start of a track to this. One run rounds all its frames, and pieces only those of the first. */
const toMillisecond = 0.001

/** The same samples, from the same place: the muxer of one run may place the sound a sample later, and its end to a millisecond. */
function expectSameSound(made: Int16Array, expected: Int16Array): void {
  expect(Math.abs(made.length - expected.length)).toBeLessThanOrEqual(96)
  const common = Math.min(made.length, expected.length) - 96
  const bytesFrom = ({ buffer, byteOffset }: Int16Array, start: number) =>
    Buffer.from(buffer, byteOffset + 2 * start, 2 * common)
  const shifts = [0, 1, -1].filter((shift) => bytesFrom(made, 2 + shift).equals(bytesFrom(expected, 2)))
  expect(shifts).not.toEqual([])
}

describe('a long clip that is made in parts', () => {
  it.each([
    ['film-24.mp4', 10.013, 58.77, 'mp4', 9],
    ['film-30.mp4', 0, 44.5, 'mov', 12],
    ['variable.mp4', 0.31, 4.4, 'mp4', 1],
    ['variable.webm', 0.31, 4.4, 'webm', 1],
    ['slides.mp4', 1.2, 7.3, 'mp4', 2.5],
    ['late.mp4', 1.01, 5.2, 'mp4', 1],
    ['no-audio.mp4', 0.51, 2.9, 'mp4', 0.6],
  ] as const)(
    '%s from %d to %d as %s has the frames, the times and the samples of one run',
    async (name, start, end, format, pieceSeconds) => {
      const asked = { file: await fixture(name), start, end, format }
      const single = await cut(asked)
      const { store, restored, names } = storeIn(temporaryFolder())
      const divided = { ...asked, store, pieceSeconds }
      const parts = piecesOf(await cutPieces(await inputOf(divided)))
      expect(parts.length).toBeGreaterThan(2)
      for (const part of [...parts.keys()].toReversed()) {
        const input = await inputOf(divided)
        await makePiece(input, await cutPieces(input), part)
      }
      restored.length = 0
      const assembled = await cut(divided)
      expect(restored.toSorted()).toEqual(names())
      const { framesEncoded, plannedFrames, substitutions, presented } = single.receipt
      expect(assembled.receipt).toMatchObject({ framesEncoded, plannedFrames, substitutions, decodeErrors: 0 })
      expect(Math.abs(assembled.receipt.presented.start - presented.start)).toBeLessThan(0.002)
      expect(Math.abs(assembled.receipt.presented.end - presented.end)).toBeLessThan(0.002)
      const [made, expected] = [await framesOf(assembled.outputPath), await framesOf(single.outputPath)]
      expect(made).toHaveLength(expected.length)
      for (const [index, { pts, luma }] of made.entries()) {
        expect(Math.abs(luma - (expected[index]?.luma ?? 0)), `frame ${index}`).toBeLessThanOrEqual(3)
        expect(Math.abs(pts - (expected[index]?.pts ?? 0)), `time of frame ${index}`).toBeLessThan(toMillisecond)
      }
      if (name === 'no-audio.mp4') return
      expectSameSound(await pcmOf(assembled.outputPath), await pcmOf(single.outputPath))
      const [ends, whole] = [await endsOf(assembled.outputPath), await endsOf(single.outputPath)]
      expect(Math.abs(ends.audio - whole.audio)).toBeLessThan(2 * toMillisecond)
      // The packets of slides carry the durations of others.
      if (name !== 'slides.mp4') expect(Math.abs(ends.video - whole.video)).toBeLessThan(2 * toMillisecond)
    },
  )

  it('is made in one run without a store', async () => {
    expect(piecesOf(await cutPieces(await inputOf({ file: film, start: 0, end: 5, pieceSeconds: 1 })))).toEqual([])
  })
})

describe('a clip of video and audio', () => {
  it.each([
    ['numbered.mp4', 1.01, 2.413, 'mp4'],
    ['numbered.mp4', 0, 1, 'mov'],
    ['numbered.mp4', 4.5, 6, 'm4v'],
    ['numbered.mp4', 1.01, 2.413, 'webm'],
    ['ntsc.mp4', 1.234, 3.21, 'mp4'],
    ['variable.mp4', 0.99, 3.345, 'mp4'],
    ['variable.webm', 0.99, 3.345, 'webm'],
    ['variable.webm', 0.99, 3.345, 'mp4'],
  ] as const)(
    '%s from %s to %s as %s shows the frames of the window and ends with its audio',
    async (name, start, end, format) => {
      const file = await fixture(name)
      const clip = await cut({ file, start, end, format })
      await expectFrames(file, clip.outputPath, start, end)
      const ends = await endsOf(clip.outputPath)
      expect(Math.abs(ends.audio - ends.video)).toBeLessThan(0.02)
      expect(Math.abs(clip.durationSeconds - (end - start))).toBeLessThan(0.003)
      expect(clip.info.format).toBe(format)
    },
  )

  it.each(['late.mp4', 'late.webm'] as const)(
    '%s, which starts at 10 s on its own clock, counts from 0',
    async (name) => {
      const file = await fixture(name)
      const clip = await cut({ file, start: 1, end: 2 })
      const { originSeconds } = await readTracks({ path: file, format: clip.info.format }, ffmpeg, never)
      expect(Math.abs(originSeconds - 10)).toBeLessThan(0.03)
      await expectFrames(file, clip.outputPath, 1, 2, originSeconds)
    },
  )

  it('shows times as results round them: a frame at 66.7 ms is in a window from 67 ms', async () => {
    const file = await fixture('numbered.mp4')
    const clip = await cut({ file, start: 0.067, end: 0.167 })
    expect(clip.receipt.framesEncoded).toBe(3)
  })

  it('shows the slide that stands when the window opens', async () => {
    const file = await fixture('slides.mp4')
    const clip = await cut({ file, start: 3, end: 3.5 })
    const [slide] = await framesOf(clip.outputPath)
    const second = (await framesOf(file))[1]
    expect(Math.abs((slide?.luma ?? 0) - (second?.luma ?? -9))).toBeLessThanOrEqual(3)
    expect(clip.durationSeconds).toBeCloseTo(0.5, 2)
  })

  it('gives its sound the times of samples, not of frames', async () => {
    const file = await fixture('beeps.mp4')
    const clip = await cut({ file, start: 1.013, end: 3.5 })
    const packetSeconds = 1024 / (clip.info.audio[0]?.sampleRate ?? 0)
    for (const seconds of await soundPacketsOf(clip.outputPath)) expect(seconds).toBeCloseTo(packetSeconds, 5)
  })

  it('keeps every sample of the sound in its place', async () => {
    const file = await fixture('phone.wav')
    const [source, clip] = [await pcmOf(file), await pcmOf((await cut({ file, start: 1.1, end: 2.3 })).outputPath)]
    expect(clip).toHaveLength(1.2 * 8000)
    // Past the fade at the cut.
    expect(clip.subarray(100, 9_500)).toEqual(source.subarray(8_800 + 100, 8_800 + 9_500))
  })

  it('fills a gap in the timestamps with silence', async () => {
    const clip = await cut({ file: await fixture('gap.mp4'), start: 1.5, end: 5.5, format: 'wav' })
    const samples = await pcmOf(clip.outputPath)
    expect(samples).toHaveLength(4 * 48_000)
    const loudest = (from: number, to: number) =>
      samples.subarray(from * 48_000, to * 48_000).reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    expect(loudest(0, 0.4)).toBeGreaterThan(1000)
    expect(loudest(0.6, 3.4)).toBeLessThan(10)
    expect(loudest(3.6, 4)).toBeGreaterThan(1000)
  })

  it('keeps sound in its place after lost packets', async () => {
    const { outputPath } = await cut({ file: await fixture('lost-packets.mka'), start: 0, end: 6, format: 'wav' })
    const samples = await pcmOf(outputPath)
    for (const beep of [3, 4, 5]) {
      const onset = samples.findIndex((sample, at) => at > (beep - 0.2) * 48_000 && Math.abs(sample) > 2_000)
      expect(Math.abs(onset / 48_000 - beep)).toBeLessThan(0.002)
    }
  })

  it('leaves sound whole where packets come late', async () => {
    const file = await fixture('late-packets.mka')
    const { outputPath } = await cut({ file, start: 0, end: 6, format: 'wav' })
    // Before the fade at the end.
    const [source, clip] = [await pcmOf(file), await pcmOf(outputPath)].map((pcm) => pcm.subarray(0, 5 * 44_100))
    expect(clip).toEqual(source)
  })
})

describe('a gap of half an hour', () => {
  const resumes = 1_801

  it.each([
    ['contains it', 0.5, resumes + 0.5],
    ['ends in it', 0.5, 900],
    ['begins in it', 900, resumes + 0.5],
    ['begins at its end', resumes - 1.5, resumes + 0.5],
    ['is within it', 900, 901],
  ])('is silence of its length in a clip that %s', async (_how, start, end) => {
    const { outputPath, info } = await cut({ file: await fixture('long-gap.webm'), start, end, format: 'flac' })
    expect(info.durationSeconds).toBeCloseTo(end - start, 5)
    const loudest = async (from: number, to: number) => {
      const samples = await pcmOf(outputPath, `atrim=start=${from - start}:end=${to - start}`)
      return samples.reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    }
    if (start < 1) expect(await loudest(start, 0.9)).toBeGreaterThan(1_000)
    expect(await loudest(Math.max(start, 1.1), Math.max(start, 1.1) + 0.3)).toBeLessThan(10)
    expect(await loudest(Math.min(end, resumes) - 0.4, Math.min(end, resumes) - 0.1)).toBeLessThan(10)
    if (end > resumes) expect(await loudest(resumes + 0.1, end)).toBeGreaterThan(1_000)
  })
})

describe('every container', () => {
  it.each([
    ['mp3', 'mp3'],
    ['wav', 'pcm_s16le'],
    ['m4a', 'aac'],
    ['aac', 'aac'],
    ['ogg', 'opus'],
    ['opus', 'opus'],
    ['flac', 'flac'],
    ['aiff', 'pcm_s16be'],
    ['webm', 'opus'],
    ['mp4', 'aac'],
  ] as const)('speech becomes %s of the length that was asked for', async (format, codec) => {
    const clip = await cut({ file: speech, start: 10, end: 15.5, format })
    expect(clip.receipt.audioCodec).toBe(codec)
    // Raw AAC cannot say what is priming and padding, in blocks of 128 ms at 8 kHz.
    const tolerance = format === 'aac' ? 0.26 : 0.03
    expect(Math.abs(clip.durationSeconds - 5.5)).toBeLessThan(tolerance)
    // ffprobe reads a late start in a WebM that holds nothing but Opus.
    expect(Math.abs(clip.info.durationSeconds - clip.durationSeconds)).toBeLessThan(format === 'webm' ? 0.04 : 0.002)
  })

  it.each([
    ...(['speech.mp3', 'speech.m4a', 'speech.aac', 'speech.ogg', 'speech.opus'] as const),
    ...(['speech.flac', 'speech.aiff'] as const),
  ])('%s is cut where its own decoder has the samples', async (name) => {
    const file = await fixture(name)
    const [whole, clip] = [
      await pcmOf(file),
      await pcmOf((await cut({ file, start: 30, end: 31, format: 'wav' })).outputPath),
    ]
    const rate = clip.length
    const differences = Array.from({ length: rate - 1_000 }, (_, index) =>
      Math.abs((clip[index + 500] ?? 0) - (whole[30 * rate + index + 500] ?? 0)),
    )
    // AAC fills bands with noise of its own, which differs.
    expect(Math.max(...differences)).toBeLessThanOrEqual(16)
  })

  it('leaves the picture out where it has no room, and says so', async () => {
    const clip = await cut({ file: film, start: 1, end: 2, format: 'mp3' })
    expect(clip.width).toBeNull()
    expect(clip.receipt.droppedStreams).toEqual(['video (h264)'])
    expect(clip.receipt.substitutions).toContain('audio channels 6 -> 2')
  })
})

describe('unusual sources', () => {
  it('keeps six channels', async () => {
    for (const format of ['mp4', 'webm'] as const) {
      const clip = await cut({ file: film, start: 1, end: 1.5, format })
      expect(clip.info.audio[0]?.channels).toBe(6)
    }
  })

  it('keeps 8 kHz mono', async () => {
    const clip = await cut({ file: await fixture('phone.wav'), start: 1, end: 2, format: 'm4a' })
    expect(clip.info.audio[0]).toMatchObject({ sampleRate: 8_000, channels: 1 })
  })

  it('turns a rotated picture upright', async () => {
    const clip = await cut({ file: await fixture('rotated.mp4'), start: 1, end: 2 })
    expect(clip).toMatchObject({ width: 120, height: 160 })
    expect(clip.info.video).toMatchObject({ width: 120, height: 160 })
  })

  it('cuts an odd size to an even one, and says so', async () => {
    const clip = await cut({ file: await fixture('odd.webm'), start: 1, end: 2, format: 'mp4' })
    expect(clip).toMatchObject({ width: 160, height: 120 })
    expect(clip.receipt.substitutions).toContain('video size 161x121 -> 160x120')
  })

  it.each([
    ['mp4', 'hevc'],
    ['mov', 'hevc'],
    ['m4v', 'h264'],
  ] as const)(
    'keeps ten bits of HDR with its colours and the shape of its pixels in %s, as %s',
    async (format, codec) => {
      const file = await fixture('hdr.mp4')
      const { outputPath, receipt } = await cut({ file, start: 0.5, end: 1.5, format })
      const expected = await colourOf(file)
      expect(expected).toBe('yuv420p10le,tv,bt2020nc,smpte2084,bt2020,4:3')
      expect(await colourOf(outputPath)).toBe(expected)
      expect(receipt.substitutions).toEqual(codec === 'h264' ? [] : [`video codec h264 -> ${codec}`])
    },
  )

  it('encodes twelve bits with ten, and says so', async () => {
    const { receipt } = await cut({ file: await fixture('deep.mov'), start: 0, end: 0.4 })
    expect(receipt.substitutions).toEqual(['video codec prores -> hevc', 'pixel format yuv444p12le -> yuv420p10le'])
  })

  it('starts with the first frame where there is no audio', async () => {
    const clip = await cut({ file: await fixture('no-audio.mp4'), start: 1.01, end: 2 })
    expect(clip.receipt).toMatchObject({ framesEncoded: 24, audioCodec: null, audioVideoOffsetSeconds: null })
    expect(clip.receipt.presented.start).toBeCloseTo(1.04, 3)
    expect((await framesOf(clip.outputPath))[0]?.pts).toBe(0)
  })

  it('keeps a single frame', async () => {
    const clip = await cut({ file: await fixture('one-frame.mp4'), start: 0, end: 0.04 })
    expect(clip.receipt.framesEncoded).toBe(1)
    expect(clip.durationSeconds).toBeCloseTo(0.04, 3)
  })

  it('keeps both audio tracks where there is room, and the default one where there is not', async () => {
    const file = await fixture('two-tracks.mp4')
    expect((await cut({ file, start: 1, end: 2, format: 'mp4' })).info.audio).toHaveLength(2)
    const single = await cut({ file, start: 1, end: 2, format: 'wav' })
    expect(single.info.audio[0]?.sampleRate).toBe(44_100)
    expect(single.receipt.droppedStreams).toEqual(['audio track 0 (aac)'])
  })

  it('names cover art and subtitles as left out', async () => {
    const covered = await cut({ file: await fixture('covered.m4a'), start: 1, end: 2 })
    expect(covered.receipt.droppedStreams).toEqual(['cover art (mjpeg)'])
    const subtitled = await cut({ file: await fixture('subtitled.mp4'), start: 1, end: 2 })
    expect(subtitled.receipt.droppedStreams).toEqual(['subtitle (mov_text)'])
  })

  it('has nothing to cut from a picture into an audio format', async () => {
    const file = await fixture('no-audio.mp4')
    await expect(cut({ file, start: 0, end: 1, format: 'mp3' })).rejects.toMatchObject({ code: 'no_audio_track' })
  })
})

it('misses no frames of VP9 whose hidden ones have packets of their own', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'hidden.webm')
  const run = (...args: string[]) =>
    promisify(execFile)(mediaTools.ffmpegPath, ['-v', 'error', '-y', ...args], { cwd: folder })
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=4', '-c:v', 'libvpx-vp9', '-lag-in-frames', '25']
  for (const pass of ['1', '2'])
    await run(...source, '-auto-alt-ref', '1', '-b:v', '200k', '-cpu-used', '4', '-pass', pass, 'joined.webm')
  await run('-i', 'joined.webm', '-c', 'copy', '-bsf:v', 'vp9_superframe_split', '-fflags', '-autobsf', file)
  const { receipt, outputPath } = await cut({ file, start: 0, end: 4 })
  expect(await framesOf(outputPath)).toHaveLength(100)
  expect(receipt.plannedFrames).toBeGreaterThan(100)
  expect(receipt.missingFrames).toBe(0)
})

it('a receipt tells what became of the source', async () => {
  const { receipt } = await cut({ file: film, start: 1.01, end: 2.413 })
  expect(receipt).toMatchObject({
    requested: { start: 1.01, end: 2.413 },
    framesEncoded: 35,
    hasVariableFrameRate: false,
    videoCodec: 'h264',
    audioCodec: 'aac',
    substitutions: [],
    droppedStreams: [],
  })
  expect(receipt.presented.start).toBeCloseTo(1.01, 3)
  expect(receipt.presented.end).toBeCloseTo(2.413, 3)
  expect(receipt.stored.start).toBeLessThan(receipt.presented.start)
  expect(Math.abs(receipt.audioVideoOffsetSeconds ?? 1)).toBeLessThan(0.005)
})
