import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyEdits,
  cutsOfPauses,
  type Edit,
  moveEdge,
  rangesToKeep,
  reachOfEdge,
} from '../../../web/src/studio/edits.ts'
import { complement, normalize, type Span, spanAt, totalSeconds } from '../../../web/src/studio/spans.ts'

const durationSeconds = 100
const whole = { start: 0, end: durationSeconds }
const time = fc.integer({ min: 0, max: durationSeconds * 1000 }).map((milliseconds) => milliseconds / 1000)
const span = fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }))
const spans = fc.array(span, { maxLength: 40 })
const edit = fc.tuple(fc.constantFrom<Edit['kind']>('cut', 'keep'), span).map(([kind, each]) => ({ kind, ...each }))
const edits = fc.array(edit, { maxLength: 12 })

/** Whether a time between the milliseconds is inside. */
const has = (all: readonly Span[], at: number) => all.some(({ start, end }) => start < at && at < end)

describe('cuts', () => {
  it('are in order, apart, and where the last edit says', () => {
    fc.assert(
      fc.property(spans, edits, time, (found, changes, at) => {
        const cuts = applyEdits(found, changes)
        for (const [index, cut] of cuts.entries()) {
          expect(cut.end).toBeGreaterThan(cut.start)
          expect(cut.start).toBeGreaterThanOrEqual(cuts[index - 1]?.end ?? 0)
        }
        const moment = at + 0.000_5
        const last = changes.findLast(({ start, end }) => start < moment && moment < end)
        expect(has(cuts, moment)).toBe(last ? last.kind === 'cut' : has(found, moment))
      }),
    )
  })

  it('and what stays make up the media', () => {
    fc.assert(
      fc.property(spans, (found) => {
        const cuts = normalize(found)
        const kept = complement(cuts, whole)
        expect(totalSeconds(cuts) + totalSeconds(kept)).toBeCloseTo(durationSeconds, 6)
        expect(normalize([...cuts, ...kept])).toEqual([whole])
      }),
    )
  })

  it('leave of each pause what the rule says, and of those at the ends half of it', () => {
    const pauses = [
      { start: 0, end: 2 },
      { start: 10, end: 12 },
      { start: 20, end: 20.45 },
      { start: 97, end: 100 },
    ]
    expect(cutsOfPauses(pauses, { keptSeconds: 0.4 }, durationSeconds)).toEqual([
      { start: 0, end: 1.8 },
      { start: 10.2, end: 11.8 },
      { start: 97.2, end: 100 },
    ])
  })

  it('move by their edges only as far as their neighbours, and only there', () => {
    fc.assert(
      fc.property(spans, fc.nat(), fc.constantFrom('start' as const, 'end' as const), time, (found, pick, edge, to) => {
        const cuts = normalize(found)
        const cut = cuts[pick % cuts.length]
        if (!cut) return
        const reach = reachOfEdge(cuts, cut, edge, durationSeconds)
        fc.pre(reach.start <= reach.end)
        const moved = moveEdge(cut, edge, to, reach)
        if (!moved) return
        const after = applyEdits(cuts, [moved.edit])
        expect(after).toHaveLength(cuts.length)
        expect(after).toContainEqual(moved.cut)
        expect(moved.cut[edge]).toBeGreaterThanOrEqual(reach.start)
        expect(moved.cut[edge]).toBeLessThanOrEqual(reach.end)
        expect(after.filter((each) => !cuts.includes(each))).toHaveLength(1)
      }),
    )
  })

  it('are at most as many as a file has ranges: the longest ones', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 10 }), (found, maxRanges) => {
        const cuts = normalize(found)
        const { ranges, leftOut } = rangesToKeep(cuts, durationSeconds, maxRanges)
        expect(ranges.length).toBeLessThanOrEqual(maxRanges)
        expect(leftOut).toBe(Math.max(0, cuts.length - (maxRanges - 1)) * Number(cuts.length >= maxRanges))
        for (const { start, end } of ranges) expect(end - start).toBeGreaterThanOrEqual(0.01 - 1e-9)
      }),
    )
  })
})

describe('a time of the source', () => {
  it('is in the span that holds it', () => {
    fc.assert(
      fc.property(spans, time, (found, at) => {
        const all = normalize(found)
        expect(spanAt(all, at)).toEqual(all.find(({ start, end }) => start <= at && at < end))
      }),
    )
  })
})
