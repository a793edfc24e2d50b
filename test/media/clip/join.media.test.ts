import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import { type ClipFormat, clipFormatOf } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { joinPieces, joinRanges } from '../../../src/media/clip/join.ts'
import { makePiece, piecesOf } from '../../../src/media/clip/video-pieces.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import type { PieceStore } from '../../../src/media/obtain-piece.ts'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { decodeErrors, endsOf, frameHashes, framesOf, never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

interface Join {
  readonly file: string
  readonly ranges: readonly Segment[]
  readonly format?: ClipFormat
  readonly audioOnly?: boolean
  readonly pieceSeconds?: number
  readonly store?: PieceStore
  readonly concurrency?: number
  readonly ffmpeg?: Ffmpeg
}

async function inputOf({ file, ranges, audioOnly = false, pieceSeconds = 180, store, ...options }: Join) {
  const info = await inspectFile(file, ffmpeg, never)
  const format = options.format ?? clipFormatOf(info)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  return {
    ...plainClip(),
    tracks: await readTracks({ path: file, format: info.format }, ffmpeg, never),
    ...{ ranges, format, audioOnly, outputPath, ffmpeg, pieceSeconds, concurrency: 2, store },
    ...options,
  }
}

async function join(asked: Join) {
  const input = await inputOf(asked)
  const { outputPath } = input
  const clip = await joinRanges(input)
  expect(await decodeErrors(outputPath)).toBe('')
  expect(clip.receipt.decodeErrors).toBe(0)
  return { ...clip, outputPath, info: await inspectFile(outputPath, ffmpeg, never) }
}

type JoinedClip = Awaited<ReturnType<typeof join>>

/** The clip shows exactly the source's frames of the presented ranges, each at its own time; what stands, goes on. */
async function expectFrames(source: string, { outputPath, receipt }: JoinedClip, originSeconds = 0) {
  const all = (await framesOf(source)).map(({ pts, luma }) => ({ pts: pts - originSeconds, luma }))
  const expected: { pts: number; luma: number; source: number }[] = []
  for (const { presented, atSeconds } of receipt.ranges) {
    const standing = all.findLast(({ pts }) => pts <= presented.start + 0.0005)
    const later = all.filter(({ pts }) => pts > presented.start + 0.0005 && pts < presented.end - 0.0005)
    if (standing && standing.pts !== expected.at(-1)?.source)
      expected.push({ luma: standing.luma, pts: atSeconds, source: standing.pts })
    for (const { pts, luma } of later) expected.push({ luma, pts: atSeconds + pts - presented.start, source: pts })
  }
  const made = await framesOf(outputPath)
  expect(made).toHaveLength(expected.length)
  for (const [index, { pts, luma }] of made.entries()) {
    expect(Math.abs(luma - (expected[index]?.luma ?? 0)), `frame ${index}`).toBeLessThanOrEqual(3)
    expect(Math.abs(pts - (expected[index]?.pts ?? 0)), `time of frame ${index}`).toBeLessThan(0.008)
  }
}

const three = [
  { start: 0.51, end: 1.013 },
  { start: 1.7, end: 1.95 },
  { start: 3.333, end: 4.2 },
]

it('the encoder of joined sound starts when the decoder has made some', async () => {
  const events: string[] = []
  const watched: Ffmpeg = {
    ...ffmpeg,
    run: (job) => {
      const { input, output } = job
      if ('stream' in input) events.push('encoder')
      if (typeof output === 'string') return ffmpeg.run(job)
      const heard = (chunk: Buffer) => {
        events.push('sound')
        return output(chunk)
      }
      return ffmpeg.run({ ...job, output: heard })
    },
  }
  await joinRanges({ ...(await inputOf({ file: speech, ranges: three })), ffmpeg: watched })
  expect(events[0]).toBe('sound')
  expect(events.filter((event) => event === 'encoder')).toHaveLength(1)
})

describe('ranges in one clip', () => {
  it.each([
    ['numbered.mp4', 'mp4'],
    ['numbered.mp4', 'mov'],
    ['numbered.mp4', 'm4v'],
    ['numbered.mp4', 'webm'],
    ['ntsc.mp4', 'mp4'],
    ['variable.mp4', 'mp4'],
    ['variable.webm', 'webm'],
    ['variable.webm', 'mp4'],
    ['no-audio.mp4', 'mp4'],
  ] as const)('%s as %s shows the frames of the ranges, and its audio ends with them', async (name, format) => {
    const file = await fixture(name)
    const ranges = name === 'no-audio.mp4' ? three.slice(0, 2) : three
    const clip = await join({ file, ranges, format })
    await expectFrames(file, clip)
    const asked = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
    expect(Math.abs(clip.receipt.driftSeconds)).toBeLessThan(0.021)
    expect(Math.abs(clip.durationSeconds - asked)).toBeLessThan(0.021)
    // WebM does not say how long the last picture stands.
    if (name === 'no-audio.mp4' || (name === 'variable.webm' && format === 'webm')) return
    const ends = await endsOf(clip.outputPath)
    expect(Math.abs(ends.audio - ends.video)).toBeLessThan(format === 'webm' ? 0.02 : 0.003)
  })
})

it.each(['film-24.mp4', 'film-30.mp4'] as const)(
  'what lies between distant ranges of %s is not decoded',
  async (name) => {
    const file = await fixture(name)
    const seeks: number[] = []
    const watched: Ffmpeg = {
      ...ffmpeg,
      run: (job) => {
        const { inputOptions = [], outputOptions } = job
        if (outputOptions.includes('libx264'))
          seeks.push(Math.round(Number(inputOptions[inputOptions.indexOf('-ss') + 1])))
        return ffmpeg.run(job)
      },
    }
    const ranges = [
      { start: 4.1, end: 5.3 },
      { start: 50.02, end: 51 },
      { start: 51.5, end: 52 },
      { start: 118.2, end: 119.4 },
    ]
    const asked = { file, ranges, concurrency: 1 }
    const clip = await join({ ...asked, ffmpeg: watched })
    expect(seeks).toEqual([3, 49, 117])
    await expectFrames(file, clip)
    const ends = await endsOf(clip.outputPath)
    expect(Math.abs(ends.video - total(ranges))).toBeLessThan(0.022)
    expect(Math.abs(ends.audio - ends.video)).toBeLessThan(0.001)
    expect(piecesOf(await joinPieces(await inputOf(asked)))).toEqual([])
  },
)

/** Ranges of a talk without its pauses: `count` of them, of uneven length, that no frame rate divides. */
function manyRanges(count: number, seconds: number): Segment[] {
  const step = seconds / count
  return Array.from({ length: count }, (_, index) => ({ start: index * step + 0.0013, end: (index + 0.72) * step }))
}

const total = (ranges: readonly Segment[]) => ranges.reduce((sum, { start, end }) => sum + end - start, 0)

describe('300 ranges', () => {
  it.each(['film-24.mp4', 'film-30.mp4'] as const)(
    'of %s end together, and within a frame of what was asked',
    async (name) => {
      const file = await fixture(name)
      const ranges = manyRanges(300, 120)
      const clip = await join({ file, ranges })
      await expectFrames(file, clip)
      const ends = await endsOf(clip.outputPath)
      expect(Math.abs(ends.video - total(ranges))).toBeLessThan(0.022)
      expect(Math.abs(ends.audio - ends.video)).toBeLessThan(0.001)
      // The beeps are where the frames are: at every joint sound and picture come from the same moment.
      const source = await pcmOf(file)
      const made = await pcmOf(clip.outputPath)
      for (const { presented, atSeconds } of clip.receipt.ranges.filter((_, index) => index % 20 === 0)) {
        const middle = (presented.end - presented.start) / 2
        const level = (samples: Int16Array, seconds: number) =>
          samples
            .subarray(Math.round((seconds - 0.05) * 8_000), Math.round((seconds + 0.05) * 8_000))
            .reduce((sum, sample) => sum + Math.abs(sample), 0)
        const [before, after] = [level(source, presented.start + middle), level(made, atSeconds + middle)]
        expect(Math.abs(before - after)).toBeLessThan(0.15 * Math.max(before, after) + 20_000)
      }
    },
  )
})

describe('joined sound', () => {
  it('is the source, sample by sample, away from the joints', async () => {
    const file = await fixture('phone.wav')
    const clip = await join({
      file,
      ranges: [
        { start: 0.2, end: 0.7 },
        { start: 1.1001, end: 2.3 },
      ],
    })
    const [source, made] = [await pcmOf(file), await pcmOf(clip.outputPath)]
    expect(made).toHaveLength(4_000 + 9_599)
    expect(made.subarray(100, 3_900)).toEqual(source.subarray(1_600 + 100, 5_600 - 100))
    expect(made.subarray(4_100, 13_400)).toEqual(source.subarray(8_801 + 100, 8_801 + 9_400))
    expect(clip.receipt.driftSeconds).toBeCloseTo(0, 4)
  })

  it.each([
    ['speech.wav', 'wav'],
    ['film-30.mp4', 'mov'],
  ] as const)('of distant ranges is that of %s at their times', async (name, format) => {
    const file = name === 'speech.wav' ? speech : await fixture(name)
    // Sound is decoded from a second before: here from 1 ms behind the start of a packet.
    const ranges = [
      { start: 1.001, end: 2.5 },
      { start: 2.7, end: 3 },
      { start: 66, end: 68.2001 },
    ]
    const clip = await join({ file, ranges, format })
    const [source, made] = [await pcmOf(file), await pcmOf(clip.outputPath)]
    for (const { presented, atSeconds } of clip.receipt.ranges) {
      const samplesOf = (all: Int16Array, from: number) => {
        const first = Math.round((from + 0.05) * 8000)
        return all.subarray(first, first + Math.round((presented.end - presented.start - 0.1) * 8000))
      }
      const wanted = samplesOf(source, presented.start)
      const got = samplesOf(made, atSeconds)
      const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0)
      expect(power(got.map((sample, index) => sample - (wanted[index] ?? 0)))).toBeLessThanOrEqual(power(wanted) / 100)
    }
  })

  it('has no step at a joint above those of the tone itself', async () => {
    const file = await fixture('tone.wav')
    const ranges = Array.from({ length: 60 }, (_, index) => ({
      start: index * 0.1 + index * 0.00013,
      end: index * 0.1 + 0.0713,
    }))
    const clip = await join({ file, ranges })
    const step = (samples: Int16Array) =>
      samples.reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index - 1] ?? sample))), 0)
    const [source, made] = [await pcmOf(file), await pcmOf(clip.outputPath)]
    // The crossfade itself moves the signal by up to 0.9 % of its peak a sample.
    const peak = source.reduce((most, sample) => Math.max(most, sample), 0)
    expect(step(made)).toBeLessThan(step(source) + 0.01 * peak)
    expect(made).toHaveLength(Math.round(total(ranges) * 48_000))
  })

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
    ['mov', 'aac'],
    ['m4v', 'aac'],
  ] as const)('becomes %s of the length that was asked for', async (format, codec) => {
    const clip = await join({
      file: speech,
      ranges: [
        { start: 1, end: 3.5 },
        { start: 10, end: 13 },
        { start: 70, end: 73.349 },
      ],
      format,
    })
    expect(clip.receipt.audioCodec).toBe(codec)
    expect(Math.abs(clip.durationSeconds - 8.849)).toBeLessThan(format === 'aac' ? 0.26 : 0.03)
  })

  it('of six channels and of two tracks stays what it is', async () => {
    const ranges = [
      { start: 0.5, end: 1 },
      { start: 2, end: 3 },
    ]
    expect((await join({ file: film, ranges })).info.audio[0]?.channels).toBe(6)
    const both = await join({ file: await fixture('two-tracks.mp4'), ranges, format: 'm4a' })
    expect(both.info.audio.map(({ sampleRate }) => sampleRate)).toEqual([48_000, 44_100])
    expect(both.info.durationSeconds).toBeCloseTo(1.5, 2)
  })

  it('keeps its place after a gap of half an hour', async () => {
    const ranges = [
      { start: 0.2, end: 0.7 },
      { start: 900, end: 901 },
      { start: 1_801.1, end: 1_801.6 },
    ]
    const { outputPath } = await join({ file: await fixture('long-gap.webm'), ranges, format: 'wav' })
    const samples = await pcmOf(outputPath)
    expect(samples).toHaveLength(2 * 48_000 * 2)
    const loudest = (from: number, to: number) =>
      samples.subarray(from * 96_000, to * 96_000).reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    expect([loudest(0, 0.4) > 1_000, loudest(0.6, 1.4) < 10, loudest(1.6, 2) > 1_000]).toEqual([true, true, true])
  })

  it('is silent where the source has a gap in its timestamps', async () => {
    const clip = await join({
      file: await fixture('gap.mp4'),
      ranges: [
        { start: 0.5, end: 1.5 },
        { start: 2.5, end: 5.5 },
      ],
      format: 'wav',
    })
    const samples = await pcmOf(clip.outputPath)
    const loudest = (from: number, to: number) =>
      samples.subarray(from * 48_000, to * 48_000).reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    expect(samples).toHaveLength(4 * 48_000)
    expect(loudest(0, 0.9)).toBeGreaterThan(1000)
    expect(loudest(1.1, 3.4)).toBeLessThan(10)
    expect(loudest(3.6, 4)).toBeGreaterThan(1000)
  })
})

describe('unusual pictures', () => {
  const ranges = [
    { start: 0.3, end: 0.8 },
    { start: 1.2, end: 1.9 },
  ]

  it('rotated ones are upright, odd ones even, and both are told', async () => {
    expect(await join({ file: await fixture('rotated.mp4'), ranges })).toMatchObject({ width: 120, height: 160 })
    const odd = await join({ file: await fixture('odd.webm'), ranges, format: 'mp4' })
    expect(odd).toMatchObject({ width: 160, height: 120 })
    expect(odd.receipt.substitutions).toContain('video size 161x121 -> 160x120')
  })

  it('slides are cut where they stand', async () => {
    const file = await fixture('slides.mp4')
    const clip = await join({
      file,
      ranges: [
        { start: 0.5, end: 1.2 },
        { start: 1.5, end: 1.9 },
        { start: 3, end: 4.5 },
      ],
    })
    expect((await framesOf(clip.outputPath)).map(({ pts }) => Math.round(pts * 1000))).toEqual([0, 1_100, 2_100])
    expect(clip.durationSeconds).toBeCloseTo(2.6, 2)
  })

  it.each(['late.mp4', 'late.webm'] as const)(
    '%s, which starts at 10 s on its own clock, counts from 0',
    async (name) => {
      const file = await fixture(name)
      const clip = await join({ file, ranges })
      const { originSeconds } = await readTracks({ path: file, format: clip.info.format }, ffmpeg, never)
      await expectFrames(file, clip, originSeconds)
    },
  )

  it('cover art is left out', async () => {
    const clip = await join({ file: await fixture('covered.m4a'), ranges })
    expect(clip.receipt.droppedStreams).toEqual(['cover art (mjpeg)'])
    expect(clip.durationSeconds).toBeCloseTo(1.2, 2)
  })

  it('nothing is made of ranges that show and play nothing', async () => {
    const silent = await fixture('no-audio.mp4')
    await expect(join({ file: silent, ranges, format: 'mp3' })).rejects.toMatchObject({ code: 'no_audio_track' })
  })
})

describe('rendered in pieces', () => {
  it.each([
    ['film-24.mp4', 'mp4'],
    ['film-30.mp4', 'mp4'],
    ['numbered.mp4', 'webm'],
  ] as const)('%s as %s shows the same frames at the same times, and the sound is not cut', async (name, format) => {
    const file = await fixture(name)
    const some = manyRanges(30, 20).map(({ start, end }) => ({ start: start + 15, end: end + 15 }))
    const ranges = format === 'webm' ? three : [{ start: 1.01, end: 1.9 }, { start: 2.5, end: 11.3 }, ...some]
    const pieceSeconds = format === 'webm' ? 0.4 : 2.7
    const [whole, pieces] = [await join({ file, ranges, format }), await join({ file, ranges, format, pieceSeconds })]
    await expectFrames(file, pieces)
    expect(pieces.receipt.framesEncoded).toBe(whole.receipt.framesEncoded)
    expect((await framesOf(pieces.outputPath)).map(({ pts }) => pts)).toEqual(
      (await framesOf(whole.outputPath)).map(({ pts }) => pts),
    )
    expect(await pcmOf(pieces.outputPath)).toEqual(await pcmOf(whole.outputPath))
    expect(await endsOf(pieces.outputPath)).toEqual(await endsOf(whole.outputPath))
  })

  it.each(['variable.mp4', 'slides.mp4', 'late.mp4'] as const)('%s keeps its timing', async (name) => {
    const file = await fixture(name)
    const ranges =
      name === 'slides.mp4'
        ? [
            { start: 0.5, end: 3.5 },
            { start: 3.8, end: 7 },
          ]
        : three
    const clip = await join({ file, ranges, pieceSeconds: 0.4 })
    const { originSeconds } = await readTracks({ path: file, format: 'mp4' }, ffmpeg, never)
    await expectFrames(file, clip, originSeconds)
  })

  it('decodes to what the pieces decode to, frame by frame', async () => {
    const { store, names, pathOf } = storeIn(temporaryFolder())
    const ranges = manyRanges(3, 5)
    const clip = await join({ file: film, ranges, pieceSeconds: 1, store })
    const pieces = names().filter((name) => name.startsWith('video-'))
    expect(pieces).toHaveLength(3)
    const hashes = await Promise.all(pieces.map((name) => frameHashes(pathOf(name))))
    const ofClip = await frameHashes(clip.outputPath)
    expect(ofClip).toHaveLength(hashes.flat().length)
    expect(ofClip.toSorted()).toEqual(hashes.flat().toSorted())
  })

  it('takes up pieces that an earlier attempt finished', async () => {
    const { store, names, restored, lose } = storeIn(temporaryFolder())
    const options = { file: await fixture('film-30.mp4'), ranges: manyRanges(40, 50), pieceSeconds: 10, store }
    const first = await join(options)
    const [lost = ''] = names().filter((name) => name.startsWith('video-'))
    lose(lost)
    const second = await join(options)
    expect(restored.toSorted()).toEqual(names().filter((name) => name !== lost))
    expect(await frameHashes(second.outputPath)).toEqual(await frameHashes(first.outputPath))
    // Other settings are other pieces.
    restored.length = 0
    await join({ ...options, format: 'webm' })
    expect(restored.filter((name) => !name.startsWith('layout-'))).toEqual([])
  })
})

describe('made in parts', () => {
  it.each([
    ['film-24.mp4', 'mp4'],
    ['film-30.mp4', 'mov'],
    ['variable.mp4', 'mp4'],
    ['numbered.mp4', 'webm'],
  ] as const)('%s as %s is, frame by frame and sample by sample, what one run makes', async (name, format) => {
    const file = await fixture(name)
    const isLong = name.startsWith('film-')
    const asked = {
      file,
      format,
      ...(isLong ? { ranges: manyRanges(40, 40), pieceSeconds: 4 } : { ranges: three, pieceSeconds: 0.3 }),
    }
    const single = await join(asked)
    const { store, restored, names } = storeIn(temporaryFolder())
    const parts = piecesOf(await joinPieces(await inputOf({ ...asked, store })))
    expect(parts.length).toBeGreaterThan(3)
    const makeAlone = async (part: number) => {
      const input = await inputOf({ ...asked, store })
      await makePiece(input, await joinPieces(input), part)
    }
    // As on workers, in any order and with nothing in common but the store.
    for (const part of [...parts.keys()].toReversed()) await makeAlone(part)
    // Beside the parts: how they are laid out, and the remarks on the sound.
    expect(names()).toHaveLength(parts.length + 2)
    restored.length = 0
    const assembled = await join({ ...asked, store })
    expect(restored.toSorted()).toEqual(names())
    await expectFrames(file, assembled)
    expect(assembled.receipt).toEqual({ ...single.receipt, pieces: { rendered: expect.any(Number), reused: 0 } })
    expect(await frameHashes(assembled.outputPath)).toEqual(await frameHashes(single.outputPath))
    expect(await pcmOf(assembled.outputPath)).toEqual(await pcmOf(single.outputPath))
    expect(await endsOf(assembled.outputPath)).toEqual(await endsOf(single.outputPath))
  })

  it('a clip without video, or of one piece, has no parts', async () => {
    const ranges = manyRanges(3, 5)
    expect(piecesOf(await joinPieces(await inputOf({ file: film, ranges })))).toEqual([])
    expect(piecesOf(await joinPieces(await inputOf({ file: film, ranges, pieceSeconds: 1, audioOnly: true })))).toEqual(
      [],
    )
  })
})

it('ends every process when the job is canceled', async () => {
  const canceled = new AbortController()
  const outputPath = path.join(temporaryFolder(), 'clip.mp4')
  const joining = joinRanges({
    tracks: await readTracks({ path: film, format: 'mp4' }, ffmpeg, never),
    ...plainClip(),
    ...{ ranges: manyRanges(3, 5), format: 'mp4', quality: 'high', outputPath, ffmpeg, signal: canceled.signal },
    onProgress: () => canceled.abort(new Error('canceled')),
  })
  await expect(joining).rejects.toThrow('canceled')
})
