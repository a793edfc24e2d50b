import { expect, it } from 'vitest'
import type { Segment } from '../../../src/core/segments.ts'
import { decodeAudio } from '../../../src/media/sound/decode-audio.ts'
import { fixture } from '../../fixtures/make.ts'
import { clipFile } from '../clip-file.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, pcmOf, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
const sampleRate = 48_000

/** When the click is in a stretch of sound that starts then. */
function clickIn(samples: ArrayLike<number>, startSeconds: number): number {
  const levels = Array.from(samples, Math.abs)
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  expect(loudest).toBeGreaterThan(3_000)
  return startSeconds + levels.findIndex((level) => level > loudest / 2) / sampleRate
}

async function analysed(path: string, { start, end }: Segment): Promise<number> {
  const { audio, format } = await inspectFile(path, ffmpeg, never)
  const [track = { sampleRate: 0, channels: 0 }] = audio
  expect(track).toMatchObject({ sampleRate, channels: 1 })
  const heard: number[] = []
  await decodeAudio({
    ...{ input: { path, format }, trackIndex: 0, track, ffmpeg, signal: never },
    ...{ startFrame: start * sampleRate, endFrame: end * sampleRate },
    onSamples: (samples) => heard.push(...samples),
  })
  return clickIn(heard, start)
}

async function clipped(path: string, range: Segment): Promise<number> {
  const { outputPath } = await clipFile('exact', path, { ranges: [range], format: 'wav' })
  return clickIn(await pcmOf(outputPath), range.start)
}

it.each([
  ...(['clicks.webm', 'clicks.mkv', 'clicks.m4a', 'clicks.mp3', 'clicks.ogg', 'clicks.opus'] as const).map(
    (name) => [name, 0] as const,
  ),
  ['early-clicks.mp4', 0],
  ['early-clicks.mkv', 0.3],
  ['early-clicks.ogg', 0.3],
] as const)('clicks in %s, %d s earlier, are at their times in searches and in clips', async (name, early) => {
  const file = await fixture(name)
  // The second one comes after a seek.
  for (const [click, range] of [
    [2, { start: 1, end: 4 }],
    [14, { start: 13, end: 15 }],
  ] as const) {
    for (const find of [analysed, clipped]) {
      expect(Math.abs((await find(file, range)) - (click - early)), `${find.name} ${click}`).toBeLessThan(0.002)
    }
  }
})
