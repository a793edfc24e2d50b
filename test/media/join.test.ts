import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MediaFormat } from '../../src/core/media.ts'
import type { Segment } from '../../src/core/segments.ts'
import { inspectMedia } from '../../src/media/inspect.ts'
import { joinRanges } from '../../src/media/join.ts'
import { readTracks } from '../../src/media/tracks.ts'
import { fixture } from '../fixtures/make.ts'
import { decodeErrors, endsOf, framesOf, never, temporaryFolder, testFfmpeg } from './measure.ts'

const ffmpeg = testFfmpeg()

interface Join {
  readonly file: string
  readonly ranges: readonly Segment[]
  readonly format?: MediaFormat
  readonly audioOnly?: boolean
}

async function join({ file, ranges, audioOnly = false, ...options }: Join) {
  const info = await inspectMedia(file, ffmpeg, never)
  const format = options.format ?? info.format
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const clip = await joinRanges({
    source: await readTracks({ path: file, format: info.format }, ffmpeg, never),
    ...{ ranges, format, audioOnly, quality: 'fast', fadeSeconds: 0.005, outputPath, ffmpeg, signal: never },
    onProgress: () => {},
  })
  expect(await decodeErrors(outputPath)).toBe('')
  return { ...clip, outputPath, info: await inspectMedia(outputPath, ffmpeg, never) }
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
