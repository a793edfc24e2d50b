import { describe, expect, it } from 'vitest'
import { laughterSegments } from '../../../src/media/speech/tag-track.ts'

/** The tags of ten seconds from 100 s on: laughter in percent around some seconds, and giggles around others. */
function tagsWith(laughter: Record<number, number>, giggles: Record<number, number> = {}, hops = 38) {
  const percentsOf = (given: Record<number, number>) =>
    Array.from({ length: hops }, (_, hop) => {
      const centre = hop * 0.24 + 0.4875
      const [near] = Object.entries(given).filter(([second]) => Math.abs(Number(second) - centre) <= 0.13)
      return near?.[1] ?? 0
    })
  const none = percentsOf({})
  return {
    start: 100,
    hasOpposedChannels: false,
    decodeErrors: 0,
    percents: {
      ...{ baby_laughter: none, snicker: none, belly_laugh: none, chuckle: none },
      laughter: percentsOf(laughter),
      giggle: percentsOf(giggles),
    },
  }
}

const window = { start: 100, end: 110 }
const find = (tags: ReturnType<typeof tagsWith>, options: object = {}) =>
  laughterSegments(tags, { window, threshold: 0.25, minSegmentSeconds: 0.3, ...options })

describe('segments of laughter', () => {
  it('are around the windows that reach the threshold, and last while the score is half of it', () => {
    const [segment, ...others] = find(tagsWith({ 3: 60, 3.4: 15, 8: 15 }))
    expect(others).toEqual([])
    expect(segment).toMatchObject({ score: 0.6, kind: 'laughter' })
    expect(segment?.start).toBeCloseTo(102.6, 0)
    expect(segment?.end).toBeCloseTo(103.8, 0)
  })

  it('end in a long pause, and not for breath', () => {
    expect(find(tagsWith({ 2: 50, 3: 50 }))).toHaveLength(1)
    expect(find(tagsWith({ 2: 50, 4: 50 }))).toHaveLength(2)
  })

  it('have the kind that most of their windows have', () => {
    expect(find(tagsWith({ 5: 30 }, { 5: 80 }))).toMatchObject([{ score: 0.8, kind: 'giggle' }])
  })

  it('are in the window, and no shorter than asked', () => {
    const tags = tagsWith({ 0.5: 90 })
    expect(find(tags)[0]?.start).toBeGreaterThanOrEqual(100)
    expect(find(tags, { minSegmentSeconds: 2 })).toEqual([])
    expect(find(tags, { threshold: 0.95 })).toEqual([])
    expect(find(tagsWith({}))).toEqual([])
  })

  it('last a day, if the laughter does', () => {
    const day = tagsWith({}, {}, 360_000)
    day.percents.laughter.fill(60)
    expect(find(day, { window: { start: 100, end: 86_400 } })).toMatchObject([{ score: 0.6, kind: 'laughter' }])
  })
})
