import { lowerBound } from './binary-search.ts'
import type { Cue } from './captions.ts'
import { roundingSeconds, type Segment } from './segments.ts'

/** A stretch of the source, and where it starts in a clip. */
export interface ShownRange {
  readonly presented: Segment
  readonly atSeconds: number
}

export interface PlacedCues<One extends Segment = Cue> {
  /** On the clip's clock. */
  readonly cues: readonly One[]
  /** The number of those that the clip does not contain. */
  readonly outside: number
}

/** Shorter rests of a caption at an edge are not shown. */
const minShownSeconds = 0.02

/** Captions of the source, or other entries, where the clip shows them. What was cut out of one shortens it. The ranges are in order. */
export function placeCues<One extends Segment>(cues: readonly One[], ranges: readonly ShownRange[]): PlacedCues<One> {
  const placed = cues.flatMap((cue) => {
    const from = lowerBound(ranges, ({ presented }) => presented.end <= cue.start)
    const to = lowerBound(ranges, ({ presented }) => presented.start < cue.end)
    // However many ranges it is shown in.
    const [first, last] = [ranges[from], ranges[to - 1]]
    if (!first || !last || to <= from) return []
    const start = first.atSeconds + Math.max(0, cue.start - first.presented.start)
    const end = last.atSeconds + Math.min(cue.end, last.presented.end) - last.presented.start
    return end - start < minShownSeconds - roundingSeconds ? [] : [{ ...cue, start, end }]
  })
  return { cues: placed, outside: cues.length - placed.length }
}

/** Words of the source where the clip has them. A word that is cut is in the clip if its middle is. */
export function placeWords<Word extends Segment>(words: readonly Word[], ranges: readonly ShownRange[]): Word[] {
  return words.flatMap((word) => {
    const middle = (word.start + word.end) / 2
    const range = ranges[lowerBound(ranges, ({ presented }) => presented.end <= middle)]
    if (!range || middle < range.presented.start) return []
    const { presented, atSeconds } = range
    const onClip = (seconds: number) =>
      atSeconds + Math.min(presented.end, Math.max(presented.start, seconds)) - presented.start
    return [{ ...word, start: onClip(word.start), end: onClip(word.end) }]
  })
}
