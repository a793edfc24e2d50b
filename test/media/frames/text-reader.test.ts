import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framesToRead, thinOut } from '../../../src/media/frames/choose-frames.ts'
import type { ShownFrame } from '../../../src/media/frames/find-frames.ts'
import { mergeReadings } from '../../../src/media/frames/merge-readings.ts'
import { createTextReader, screenTextKind } from '../../../src/media/frames/text-reader.ts'

const sampleSeconds = 0.25

function frameAt(seconds: number): ShownFrame {
  return { seconds, width: 32, height: 32, rgb: new Uint8Array(0) }
}

interface Shown {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Reads a film in which the texts are shown and the picture changes at these times. */
async function readFilm(texts: readonly Shown[], changes: readonly number[], seconds: number, bounds: object = {}) {
  const box = { x: 0, y: 0, width: 1, height: 0.1 }
  const reader = createTextReader({
    window: { start: 0, end: seconds },
    readAll: async (frames) =>
      frames.map((frame) =>
        texts
          .filter(({ start, end }) => start <= frame.seconds && frame.seconds < end)
          .map(({ text }) => ({ text, box, confidence: 0.9 })),
      ),
    ...bounds,
  })
  for (const change of changes) await reader.add(frameAt(change))
  const read = await reader.end()
  return { ...read, lines: await mergeReadings(read.readings, seconds) }
}

function everySample(seconds: number): number[] {
  return Array.from({ length: seconds / sampleSeconds }, (_, index) => index * sampleSeconds)
}

describe('reading the text of a film', () => {
  it('finds each text that is shown for a second, to the sample, however the picture moves', async () => {
    // Texts of one to nine seconds, with pauses of more than a second, which is what merging bridges.
    const cue = fc.record({ pause: fc.integer({ min: 5, max: 20 }), length: fc.integer({ min: 4, max: 36 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(cue, { maxLength: 8 }), async (cues) => {
        let at = 0
        const texts = cues.map(({ pause, length }, index) => {
          const start = at + pause * sampleSeconds
          at = start + length * sampleSeconds
          return { text: `Title ${'abcdefgh'[index]}${index}`, start, end: at }
        })
        const { lines, framesRead } = await readFilm(texts, everySample(Math.ceil(at) + 2), Math.ceil(at) + 2)
        expect(lines.map(({ text, start, end }) => ({ text, start, end }))).toEqual(texts)
        expect(framesRead).toBeLessThanOrEqual(Math.ceil(at) + 4 + cues.length * 4)
      }),
    )
  })

  it('reads each slide once', async () => {
    const changes = Array.from({ length: 60 }, (_, index) => index * 60)
    const texts = changes.map((start, index) => ({ text: `Slide ${index}`, start, end: start + 60 }))
    const { lines, framesRead } = await readFilm(texts, changes, 3600)
    expect(lines).toHaveLength(60)
    expect(framesRead).toBeLessThanOrEqual(64)
  })

  it('of four hours of slides leaves no gap', async () => {
    const changes = Array.from({ length: 240 }, (_, index) => index * 60)
    const { framesRead, gapSeconds } = await readFilm([], changes, 4 * 3600)
    expect([framesRead, gapSeconds]).toEqual([240, 1])
  })

  it('reads a film that always moves with a bounded number of readings, and says how far they are apart', async () => {
    const seconds = 2000
    const texts = [{ text: 'A long title', start: 500, end: 900 }]
    const { lines, framesRead, gapSeconds } = await readFilm(texts, everySample(seconds), seconds, { maxReads: 400 })
    expect(framesRead).toBeLessThanOrEqual(416)
    expect(gapSeconds).toBeGreaterThan(5)
    expect(gapSeconds).toBeLessThan(20)
    expect(lines).toHaveLength(1)
    expect(lines[0]?.start).toBeLessThan(500 + gapSeconds)
    expect(lines[0]?.end).toBeLessThan(900 + gapSeconds)
  })

  it('never exceeds its number of readings by more than a batch, whatever is shown', async () => {
    const texts = everySample(300).map((start) => ({ text: `${start}`, start, end: start + sampleSeconds }))
    const { framesRead } = await readFilm(texts, everySample(300), 300, { maxReads: 100 })
    expect(framesRead).toBeLessThanOrEqual(116)
  })

  it('ends when it has read more lines than memory has room for', async () => {
    const texts = ['one', 'two'].map((text) => ({ text, start: 0, end: 60 }))
    await expect(readFilm(texts, everySample(60), 60, { maxLinesRead: 119 })).rejects.toThrow('Choose a shorter window')
    expect((await readFilm(texts, everySample(30), 30, { maxLinesRead: 119 })).lines).toHaveLength(2)
  })

  it('of no frame is nothing', async () => {
    expect(await readFilm([], [], 5)).toMatchObject({ readings: [], framesRead: 0, gapSeconds: 1 })
  })
})

describe('the text of a stored film', () => {
  const line = { text: 'GOAL', start: 3590, end: 3610, box: { x: 0, y: 0, width: 1, height: 0.1 }, confidence: 0.9 }
  const stored = { lines: [line], gapSeconds: 6, framesRead: 16_000, decodeErrors: 0, start: 0, end: 4 * 3600 }
  const minute = { start: 3600, end: 3660 }
  const shown = [{ ...line, start: 3600 }]

  it('is that of a part of it', () => {
    const fine = { ...stored, gapSeconds: 1 }
    expect(screenTextKind.within(fine, minute)).toEqual({ ...fine, ...minute, lines: shown })
  })

  it('is read again for a shorter window if it was so long that its gaps were longer than usual', async () => {
    expect(screenTextKind.within(stored, minute)).toBeUndefined()
    expect(screenTextKind.within(stored, { start: 0, end: 3 * 3600 })).toMatchObject({ gapSeconds: 6, lines: [line] })
    const { start: _, end: __, ...older } = stored
    expect(screenTextKind.within(await screenTextKind.parse(older), minute)).toMatchObject({ lines: shown })
  })
})

describe('the frames that are read first', () => {
  it('are a gap apart at most while the picture moves, with the first, the last, and what has settled', () => {
    const frames = [0, 0.25, 0.5, 5, 5.25, 5.5, 5.75, 6, 6.25].map(frameAt)
    expect(framesToRead(frames, 1)).toEqual([0, 2, 7, 8])
    expect(framesToRead([], 1)).toEqual([])
  })

  it('have no gap that is longer than asked for, except while nothing changes', () => {
    const steps = fc.array(fc.constantFrom(0.25, 0.25, 0.25, 0.5, 3), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 2, 4), (lengths, gap) => {
        let at = 0
        const frames = lengths.map((length) => {
          at += length
          return frameAt(at)
        })
        const chosen = framesToRead(frames, gap)
        expect(chosen.at(-1)).toBe(frames.length - 1)
        for (const [place, index] of chosen.slice(1).entries()) {
          const before = chosen[place] ?? 0
          const moved = (frames[index]?.seconds ?? 0) - (frames[before + 1]?.seconds ?? 0)
          expect(moved).toBeLessThanOrEqual(gap)
        }
      }),
    )
  })

  it('are thinned to a spacing, but for those that are shown longer', () => {
    const frames = [0, 0.25, 0.5, 0.75, 1, 1.25, 6, 6.25].map(frameAt)
    expect(thinOut(frames, 1).map(({ seconds }) => seconds)).toEqual([0, 1, 1.25, 6, 6.25])
    expect(thinOut(frames, 0.25)).toEqual(frames)
  })
})
