import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copyBounds, mergeSpans } from '../../../src/media/copying/copy-bounds.ts'

/** Groups of pictures in decoding order, with frames moved back by up to three places. */
const anyPackets = fc
  .array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 20 }), { minLength: 1, maxLength: 6 })
  .map((groups) => {
    let first = 0
    return groups.flatMap((delays) => {
      const order = delays.map((delay, index) => ({ pts: first + index, at: index === 0 ? -1 : index + delay }))
      first += delays.length
      return order.toSorted((a, b) => a.at - b.at).map(({ pts, at }) => ({ pts: pts * 10, isKeyframe: at === -1 }))
    })
  })

it('a copy shows the whole range, starts at a keyframe, and has every packet that comes before one of its own', () => {
  fc.assert(
    fc.property(anyPackets, fc.nat(), fc.nat(), (packets, a, b) => {
      const end = packets.length * 10
      const [fromTick = 0, toTick = 0] = [a % end, b % end].toSorted((x, y) => x - y)
      const span = copyBounds({ fromTick, toTick: toTick + 1 }, packets, packets, 0)
      expect(span.fromTick).toBeLessThanOrEqual(fromTick)
      expect(span.toTick).toBeGreaterThanOrEqual(toTick + 1)
      const keyframes = packets.filter(({ isKeyframe }) => isKeyframe).map(({ pts }) => pts)
      expect(keyframes).toContain(span.fromTick)
      const isCopied = ({ pts }: { pts: number }) => pts >= span.fromTick && pts < span.toTick
      const first = packets.findIndex(isCopied)
      const last = packets.findLastIndex(isCopied)
      expect(packets.slice(first, last + 1).every(isCopied)).toBe(true)
    }),
  )
})

it('ranges that share packets become one, and others stay apart', () => {
  const span = (fromTick: number, toTick: number) => ({
    requested: { fromTick: fromTick + 1, toTick: toTick - 1 },
    fromTick,
    toTick,
  })
  const merged = mergeSpans([span(0, 100), span(50, 200), span(200, 300), span(400, 500)])
  expect(merged.map(({ fromTick, toTick }) => [fromTick, toTick])).toEqual([
    [0, 300],
    [400, 500],
  ])
  expect(merged[0]?.requested).toEqual({ fromTick: 1, toTick: 299 })
})
