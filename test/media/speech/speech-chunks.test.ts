import { describe, expect, it } from 'vitest'
import { longestPause, speechChunks } from '../../../src/media/speech/find-speech.ts'

const frame = 0.032

/** The chance of speech: high within the segments, in seconds. */
function chancesOf(seconds: number, ...speech: [number, number][]): Float32Array {
  return Float32Array.from({ length: Math.floor(seconds / frame) }, (_, index) =>
    speech.some(([start, end]) => index * frame >= start && index * frame < end) ? 0.95 : 0.02,
  )
}

describe('chunks of speech', () => {
  it('join over short pauses, and end at longer ones', () => {
    const chunks = speechChunks(chancesOf(20, [1, 3], [3.3, 6], [7.5, 9]), 100)
    expect(chunks).toHaveLength(2)
    expect(chunks[0]?.start).toBeCloseTo(100.77, 1)
    expect(chunks[0]?.end).toBeCloseTo(106.24, 1)
    expect(chunks[1]?.start).toBeCloseTo(107.27, 1)
  })

  it('are at most as long as a model takes, and cut speech where it is least certain', () => {
    const chances = chancesOf(60, [0, 60])
    chances[Math.round(20 / frame)] = 0.6
    const chunks = speechChunks(chances, 0)
    expect(chunks.every(({ start, end }) => end - start <= 25.4)).toBe(true)
    expect(chunks[0]?.end).toBeCloseTo(20, 1)
    for (const [index, { start }] of chunks.entries())
      if (index > 0) expect(start).toBeCloseTo(chunks[index - 1]?.end ?? 0)
  })

  it('do not overlap', () => {
    const chunks = speechChunks(chancesOf(50, [0, 24], [24.2, 48]), 0)
    expect(chunks).toHaveLength(2)
    expect(chunks[0]?.end).toBeLessThanOrEqual((chunks[1]?.start ?? 0) + 1e-9)
  })

  it('are none without speech', () => {
    expect(speechChunks(chancesOf(10), 0)).toEqual([])
  })
})

describe('the longest pause', () => {
  it('is the middle of the longest stretch without speech', () => {
    expect(longestPause(chancesOf(10, [0, 2], [3, 5], [7, 10]), 50)).toBeCloseTo(56, 1)
  })

  it('is where speech is least certain, if it never stops', () => {
    const chances = chancesOf(10, [0, 10])
    chances[100] = 0.5
    expect(longestPause(chances, 0)).toBeCloseTo(3.2)
  })
})
