import { describe, expect, it } from 'vitest'
import { planTalk } from '../../lab/hour/talk-film.ts'
import { durationOf } from '../../src/core/segments.ts'

const phraseSeconds = [0.4, 1.3, 2.75, 5.1]
const talk = { seconds: 3_600, pauses: 293 }
const { phrases, pauses } = planTalk(phraseSeconds, talk)

describe('the talk of the bench', () => {
  it('has the requested number of pauses, and speech until its end', () => {
    expect(pauses).toHaveLength(293)
    const last = phrases.at(-1)
    expect((last?.startSeconds ?? 0) + (phraseSeconds[last?.phrase ?? 0] ?? 0)).toBeGreaterThanOrEqual(3_600)
    expect(pauses.at(-1)?.end).toBeLessThan(3_600)
  })

  it('has a gap of half a second only at its pauses', () => {
    const gaps = phrases.slice(1).map(({ startSeconds }, index) => {
      const before = phrases[index]
      return startSeconds - (before?.startSeconds ?? 0) - (phraseSeconds[before?.phrase ?? 0] ?? 0)
    })
    expect(gaps.filter((gap) => gap >= 0.5)).toHaveLength(293)
    expect(gaps.every((gap) => gap > 0.15)).toBe(true)
    expect(pauses.every((pause) => durationOf(pause) > 0.59)).toBe(true)
  })

  it('is the same at every call', () => {
    expect(planTalk(phraseSeconds, talk)).toEqual({ phrases, pauses })
  })
})
