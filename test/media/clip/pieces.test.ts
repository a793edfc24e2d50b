import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieceThirds } from '../../../src/media/clip/video-pieces.ts'

const clipOf = (seconds: number) => [{ start: 0, end: seconds }]

function secondsOf(seconds: number): number[] {
  const thirds = pieceThirds(clipOf(seconds), {})
  const total = thirds.reduce((sum, each) => sum + each, 0)
  return thirds.map((each) => (each * seconds) / total)
}

describe('the pieces of a clip', () => {
  it.each([
    [119, [119]],
    [120, [30, 20, 20, 20, 10, 10, 10]],
    [186, [31, 31, 31, 62 / 3, 62 / 3, 62 / 3, 31 / 3, 31 / 3, 31 / 3]],
  ])('of %d seconds become shorter towards its end', (seconds, expected) => {
    const pieces = secondsOf(seconds)
    expect(pieces).toHaveLength(expected.length)
    for (const [index, piece] of pieces.entries()) expect(piece).toBeCloseTo(expected[index] ?? 0, 9)
  })

  it('are at most 123, of which none exceeds half a minute or a 120th of the clip by more than a quarter', () => {
    fc.assert(
      fc.property(fc.double({ min: 120, max: 86_400, noNaN: true }), (seconds) => {
        const pieces = secondsOf(seconds)
        expect(pieces.length).toBeLessThanOrEqual(123)
        expect(Math.max(...pieces)).toBeLessThanOrEqual(Math.max(30 * 1.25, seconds / 120 + 1e-6))
        expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBeCloseTo(seconds, 6)
      }),
    )
  })

  it('keep two workers busy until a third of a piece before the end', () => {
    fc.assert(
      fc.property(fc.double({ min: 120, max: 86_400, noNaN: true }), (seconds) => {
        const pieces = secondsOf(seconds)
        const ends: [number, number] = [0, 0]
        for (const piece of pieces) ends[ends[0] <= ends[1] ? 0 : 1] += piece
        expect(Math.abs(ends[0] - ends[1])).toBeLessThanOrEqual(Math.max(...pieces) / 3 + 1e-6)
      }),
    )
  })

  it('are short if its crop follows something, so that a correction makes little again', () => {
    const follower = { follows: 'faces', points: [], find: async () => [] } as const
    const cropped = { follower, picture: { aspect: '9:16', fit: 'crop', heightPixels: null } } as const
    expect(pieceThirds(clipOf(60), cropped)).toEqual([3, 3, 3, 3])
    expect(pieceThirds(clipOf(60), { ...cropped, follower: undefined })).toEqual([3])
    expect(pieceThirds(clipOf(60), { ...cropped, picture: { ...cropped.picture, fit: 'pad' } })).toEqual([3])
    expect(pieceThirds(clipOf(240), cropped)).toEqual(pieceThirds(clipOf(240), {}))
  })

  it('are equal where they are few', () => {
    expect(pieceThirds(clipOf(12), { pieceSeconds: 4 })).toEqual([3, 3, 3])
  })
})
