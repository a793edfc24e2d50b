import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeReadings, showSameLines } from '../../../src/media/frames/merge-readings.ts'
import { screenTextKind } from '../../../src/media/frames/text-reader.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { longestWork, tooLongMs } from '../../longest-work.ts'

function line(text: string, { x = 0.1, y = 0.1, confidence = 0.95 } = {}) {
  return { text, confidence, box: { x, y, width: 0.3, height: 0.1 } }
}

/** Readings every half second. */
function readings(...texts: readonly (readonly ReturnType<typeof line>[])[]) {
  return texts.map((lines, index) => ({ seconds: index / 2, lines }))
}

describe('readings', () => {
  it('become lines with the time from the first one that has them to the next one that does not', async () => {
    const [title, name] = [line('A title'), line('A name', { y: 0.8 })]
    expect(await mergeReadings(readings([], [title], [title, name], [name], [], [name, title]), 3)).toEqual([
      expect.objectContaining({ text: 'A title', start: 0.5, end: 1.5 }),
      expect.objectContaining({ text: 'A name', start: 1, end: 3 }),
      expect.objectContaining({ text: 'A title', start: 2.5, end: 3 }),
    ])
  })

  it('that differ by a misread letter are one line, with the text that was read longest', async () => {
    const found = await mergeReadings(
      readings(
        [line('Where are you g0ing', { confidence: 0.7 })],
        [line('where are you going?')],
        [line('where are you going?')],
      ),
      2,
    )
    // A zero for an o is a digit, so another text.
    expect(found.map(({ text }) => text)).toEqual(['where are you going?'])
    const misread = await mergeReadings(readings([line('Where are you gaing?')], [line('Where are you going?')], []), 2)
    expect(misread).toEqual([expect.objectContaining({ text: 'Where are you gaing?', start: 0, end: 1 })])
  })

  it.each([
    ['a clock', line('00:01'), line('00:02')],
    ['another short word', line('yes'), line('yet')],
    ['another sentence', line('I think so'), line('I know him')],
    ['the same word elsewhere', line('LIVE'), line('LIVE', { x: 0.6, y: 0.8 })],
  ])('of %s are two lines', async (_what, one, other) => {
    expect(await mergeReadings(readings([one], [other]), 1)).toHaveLength(2)
    expect(await showSameLines([one], [other])).toBe(false)
  })

  it('of a line that moves are one line', async () => {
    const at = (y: number) => [line('Directed by nobody', { y })]
    expect(await mergeReadings(readings(at(0.8), at(0.65), at(0.5), at(0.35)), 2)).toHaveLength(1)
  })

  it('of two equal lines stay apart', async () => {
    const both = [line('10', { x: 0.1 }), line('10', { x: 0.3 })]
    const found = await mergeReadings(readings(both, both.toReversed(), both), 1.5)
    expect(found.map(({ box, start, end }) => [box.x, start, end])).toEqual([
      [0.1, 0, 1.5],
      [0.3, 0, 1.5],
    ])
  })

  it('leave out what was read once, for a moment, with doubt or as a single letter', async () => {
    expect(await mergeReadings(readings([], [line('N')], []), 1.5)).toEqual([])
    expect(await mergeReadings(readings([], [line('7')], [line('7')]), 1.5)).toHaveLength(1)
    expect(await mergeReadings(readings([], [line('7')], [line('7')]), 1.25)).toEqual([])
    const doubtful = [line('Il1|', { confidence: 0.7 })]
    expect(await mergeReadings(readings([], doubtful, []), 1.5)).toEqual([])
    expect(await mergeReadings(readings([], doubtful), 10)).toHaveLength(1)
  })

  it('become lines that are in order, within the time, and made of what was read', async () => {
    const texts = fc.subarray(['One title', 'Another line', '12:30', 'LIVE', 'xy'])
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        async (shown, rest) => {
          const read = readings(...shown.map((each) => each.map((text, index) => line(text, { y: index / 5 }))))
          const end = (read.at(-1)?.seconds ?? 0) + rest
          const found = await mergeReadings(read, end)
          const starts = found.map(({ start }) => start)
          expect(starts).toEqual(starts.toSorted((a, b) => a - b))
          for (const { start, end: until, text } of found) {
            expect(0 <= start && start < until && until <= end).toBe(true)
            expect(
              read.some(({ seconds, lines }) => seconds === start && lines.some((each) => each.text === text)),
            ).toBe(true)
          }
          // Whatever a reading has is in a line of that time.
          for (const { seconds, lines } of read)
            for (const { text } of lines)
              expect(found.some((each) => each.text === text && each.start <= seconds && seconds < each.end)).toBe(true)
          const window = { start: end / 3, end: end / 2 }
          for (const part of screenTextKind.within(
            { lines: found, gapSeconds: 1, framesRead: 1, decodeErrors: 0 },
            window,
          )?.lines ?? [])
            expect(window.start <= part.start && part.start < part.end && part.end <= window.end).toBe(true)
        },
      ),
    )
  })

  it(
    'of sixty lines, which are alike and read differently each time, let other work have its turns',
    bestOfThree,
    async () => {
      const letters = 'the quick brown fox jumps over the lazy dog and back'
      const shown = Array.from({ length: 60 }, (_, at) => letters.slice(at % 40) + letters.slice(0, at % 40))
      const misread = (text: string, at: number) => `${text.slice(0, at % 50)}#${text.slice((at % 50) + 1)}`
      const read = Array.from({ length: 120 }, (_, second) => ({
        seconds: second,
        lines: shown.map((text, index) => line(misread(text, second + index), { x: index / 240, y: index / 240 })),
      }))
      const longest = await longestWork(async () => {
        expect((await mergeReadings(read, 120)).length).toBeGreaterThanOrEqual(60)
        expect(await showSameLines(read[0]?.lines ?? [], read[1]?.lines ?? [])).toBe(true)
      })
      expect(longest).toBeLessThan(tooLongMs)
    },
  )

  it('of more lines than a window may have are refused', async () => {
    const read = Array.from({ length: 1_100 }, (_, second) => ({
      seconds: second,
      lines: Array.from({ length: 100 }, (_each, index) => line(`${second} ${index}`, { y: index / 100 })),
    }))
    await expect(mergeReadings(read, 1_100)).rejects.toThrow('shows more than 100000 lines')
  })
})
