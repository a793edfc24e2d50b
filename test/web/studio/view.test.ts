import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitView, panView, rulerOf, sharesOf, snap, toTime, toX, zoomView } from '../../../web/src/studio/view.ts'

const durationSeconds = fc.double({ min: 0.5, max: 12 * 3600, noNaN: true })
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** A media and a view of it. */
const views = fc.tuple(durationSeconds, share, share).map(([duration, from, length]) => ({
  duration,
  view: fitView({ start: from * duration, end: from * duration + length * duration }, duration),
}))

function assertFits({ start, end }: { start: number; end: number }, duration: number): void {
  expect(start).toBeGreaterThanOrEqual(0)
  expect(end).toBeLessThanOrEqual(duration * (1 + 1e-9))
  expect(end - start).toBeGreaterThanOrEqual(0.25 - 1e-9)
}

describe('a view', () => {
  it('stays within the media, however it is zoomed and moved', () => {
    fc.assert(
      fc.property(views, share, fc.double({ min: 0.01, max: 100, noNaN: true }), ({ duration, view }, at, factor) => {
        assertFits(view, duration)
        assertFits(zoomView(view, factor, view.start + at * (view.end - view.start), duration), duration)
        assertFits(panView(view, (factor - 50) * 60, duration), duration)
      }),
    )
  })

  it('keeps the time under the pointer where it is while it is zoomed in', () => {
    fc.assert(
      fc.property(views, share, fc.double({ min: 0.1, max: 1, noNaN: true }), ({ duration, view }, at, factor) => {
        const time = view.start + at * (view.end - view.start)
        const zoomed = zoomView(view, factor, time, duration)
        expect(toX(time, zoomed, 1000)).toBeCloseTo(at * 1000, 3)
      }),
    )
  })

  it('has the same time at a pixel and back', () => {
    fc.assert(
      fc.property(views, share, ({ view }, at) => {
        expect(toX(toTime(at * 1440, view, 1440), view, 1440)).toBeCloseTo(at * 1440, 3)
      }),
    )
  })

  it('has marks in view, in order, and far enough apart to be read', () => {
    fc.assert(
      fc.property(views, ({ view }) => {
        const { times, stepSeconds, decimals } = rulerOf(view, 1440)
        for (const time of times) {
          expect(time).toBeGreaterThanOrEqual(view.start - 1e-6)
          expect(time).toBeLessThanOrEqual(view.end + 1e-6)
        }
        expect(times.length).toBeGreaterThan(1)
        expect(times.length).toBeLessThanOrEqual(1440 / 84 + 1)
        expect(stepSeconds * 10 ** decimals).toBeGreaterThan(1 - 1e-9)
      }),
    )
  })
})

describe('spans on the screen', () => {
  it('are as dense as they are, where thousands are narrower than a pixel', () => {
    // Of an hour, 884 cuts of half a second are an eighth: the whole is not cut.
    const cuts = Array.from({ length: 884 }, (_, index) => ({ start: index * 4, end: index * 4 + 0.5 }))
    const shares = sharesOf(cuts, { start: 0, end: 884 * 4 }, 884)
    expect(new Set(shares)).toEqual(new Set([0.125]))
  })

  it('cover as much as they do in time, at every zoom', () => {
    fc.assert(
      fc.property(views, fc.array(share), ({ duration, view }, edges) => {
        const times = edges.map((edge) => edge * duration).toSorted((a, b) => a - b)
        const spans = times.flatMap((start, index) =>
          index % 2 === 0 ? [{ start, end: times[index + 1] ?? start }] : [],
        )
        const shares = sharesOf(spans, view, 1440)
        const seen = spans.map(({ start, end }) => Math.max(0, Math.min(end, view.end) - Math.max(start, view.start)))
        const pixels = (totalOf(seen) / (view.end - view.start)) * 1440
        expect(totalOf(shares)).toBeCloseTo(pixels, 1)
        expect(Math.max(...shares)).toBeLessThan(1.001)
      }),
    )
  })
})

function totalOf(amounts: Iterable<number>): number {
  return [...amounts].reduce((sum, amount) => sum + amount, 0)
}

describe('a pulled edge', () => {
  it('snaps to the nearest time that is near enough', () => {
    fc.assert(
      fc.property(fc.array(share), share, fc.double({ min: 0, max: 0.2, noNaN: true }), (all, time, within) => {
        const nearest = Math.min(...all.map((each) => Math.abs(each - time)))
        const spans = all.map((start, index) => ({ start, end: all[index + 1] ?? start }))
        const snapped = snap(time, spans, within)
        if (nearest <= within) expect(Math.abs(snapped - time)).toBeCloseTo(nearest, 9)
        else expect(snapped).toBe(time)
      }),
    )
  })
})
