import type { Segment } from '../../core/segments.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'

/** The times of words are off by less. */
const minGapSeconds = 0.1
/** A cut goes no further into the pause beside a word. */
const reachSeconds = 0.5

/**
 * Where cuts before and after words can be: in a quiet moment between it and its neighbour. Undefined if there is none. In transcripts
 * without quiet moments, it is the middle of the gap.
 */
export function quietEdges(words: readonly EarlierWord[], within: Segment) {
  const gapBefore = (at: number) => ({
    start: Math.max(within.start, words[at - 1]?.end ?? within.start),
    end: Math.min(within.end, words[at]?.start ?? within.end),
  })
  return {
    before: (at: number) => {
      const gap = gapBefore(at)
      if (at === 0 && isShort(gap)) return within.start
      const middle = isShort(gap) ? undefined : Math.max((gap.start + gap.end) / 2, gap.end - reachSeconds)
      return edgeIn(gap, words[at]?.quietBefore, middle)
    },
    after: (at: number) => {
      const gap = gapBefore(at + 1)
      if (at === words.length - 1 && isShort(gap)) return within.end
      const middle = isShort(gap) ? undefined : Math.min((gap.start + gap.end) / 2, gap.start + reachSeconds)
      return edgeIn(gap, words[at]?.quietAfter, middle)
    },
  }
}

/** The quiet moment if it is in the gap; undefined where none was found. */
function edgeIn({ start, end }: Segment, moment: number | null | undefined, middle: number | undefined) {
  if (moment === undefined) return middle
  return moment !== null && moment >= start && moment <= end ? moment : undefined
}

function isShort({ start, end }: Segment): boolean {
  return end - start < minGapSeconds
}
