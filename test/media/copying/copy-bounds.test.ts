import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyBounds, copyEdgesOf, mergeSpans, refuseLongLead } from '../../../src/media/copying/copy-bounds.ts'

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

it('a copy shows the whole range, starts at a keyframe, and has every packet that comes before one of its own', async () => {
  await fc.assert(
    fc.asyncProperty(anyPackets, fc.nat(), fc.nat(), async (packets, a, b) => {
      const end = packets.length * 10
      const [fromTick = 0, toTick = 0] = [a % end, b % end].toSorted((x, y) => x - y)
      const keyframes = packets.filter(({ isKeyframe }) => isKeyframe).map(({ pts }) => pts)
      const pts = Float64Array.from(packets, (packet) => packet.pts)
      const edges = await copyEdgesOf({ pts, keyframeTicks: Float64Array.from(keyframes) })
      const options = { toleranceTicks: 0, longTicks: 25 }
      const span = copyBounds({ fromTick, toTick: toTick + 1 }, edges, edges, options)
      expect(span.fromTick).toBeLessThanOrEqual(fromTick)
      expect(span.toTick).toBeGreaterThanOrEqual(toTick + 1)
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

describe('a copy that starts at a keyframe far before its range', () => {
  const milliseconds = (fromTick: number, start: number, end: number) => () =>
    refuseLongLead({ requested: { fromTick: start, toTick: end }, fromTick, toTick: end }, 1 / 1000)

  it('is refused if it would store more than 30 seconds and more than twice what was asked for', () => {
    expect(milliseconds(0, 30_001, 30_011)).toThrow('the keyframes are more than 30 seconds apart')
    expect(milliseconds(0, 3_600_000, 3_660_000)).toThrow('the keyframes are more than 30 seconds apart')
  })

  it('is made of films with the usual groups of pictures, and of ranges that are longer than the part before them', () => {
    expect(milliseconds(0, 9_900, 10_900)).not.toThrow()
    expect(milliseconds(0, 20_000, 20_010)).not.toThrow()
    expect(milliseconds(0, 45_000, 95_000)).not.toThrow()
  })
})
