import { expect, it } from 'vitest'
import { leadBudget, leadOf, limitPieces, takeLead } from '../../../src/media/clip/lead-budget.ts'
import { pieceThirds } from '../../../src/media/clip/video-pieces.ts'

const keyframeAt = (start: number) => ({ starts: [start, start + 0.04], endSeconds: start + 0.08 })
const hour = 3600

it('a hundred clips far behind the only keyframe are refused after four times the media', () => {
  const budget = leadBudget(hour)
  const cut = () => takeLead(budget, leadOf({ start: hour - 10, end: hour - 9 }, keyframeAt(0)))
  for (let clip = 0; clip < 4; clip++) cut()
  expect(cut).toThrow(expect.objectContaining({ code: 'processing_failed', retryable: false }))
  expect(cut).toThrow('"join": true')
})

it('any number of clips of a film with a keyframe every 20 seconds is cut', () => {
  const budget = leadBudget(30)
  for (let clip = 0; clip < 500; clip++) takeLead(budget, leadOf({ start: 19.9, end: 20 }, keyframeAt(0)))
  expect(budget).toEqual(leadBudget(30))
})

it('a clip of sound has no keyframe', () => {
  expect(leadOf({ start: hour, end: hour + 1 }, { starts: [], endSeconds: 0 })).toBe(0)
})

it('an hour with two keyframes has eight equal pieces, which decode at most four times the hour in front of them', () => {
  const thirds = pieceThirds([{ start: 0, end: hour }], {})
  const frames = { starts: [], endSeconds: hour }
  expect(limitPieces(thirds, hour, { ...frames, longestGroupSeconds: hour / 2 })).toEqual(Array(8).fill(3))
  expect(limitPieces(thirds, hour, { ...frames, longestGroupSeconds: 10 * hour })).toEqual([3])
  expect(limitPieces(thirds, hour, { ...frames, longestGroupSeconds: 60 })).toBe(thirds)
})
