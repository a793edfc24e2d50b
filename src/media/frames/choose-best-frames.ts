import { looksLike } from './compare-pictures.ts'
import type { FoundFrame } from './found-frame.ts'
import { flawOf, qualityOf, scoreOf } from './frame-quality.ts'

export interface ScoredFrame {
  readonly frame: FoundFrame
  readonly quality: ReturnType<typeof qualityOf>
  /** 0 to 1. */
  readonly score: number
}

/**
 * The best frames, at most `count`, best first. Frames of other shots come before further frames of the same one, and no two look
 * the same. Frames that are dark, empty, noise or blurred are never chosen.
 */
export function chooseBestFrames(found: readonly FoundFrame[], count: number): ScoredFrame[] {
  const ranked = found
    .filter(({ measures }) => flawOf(measures) === undefined)
    .map((frame) => {
      const quality = qualityOf(frame.measures, frame)
      return { frame, quality, score: scoreOf(quality) }
    })
    .toSorted((a, b) => b.score - a.score || a.frame.seconds - b.frame.seconds)
  const chosen: ScoredFrame[] = []
  const isOther = ({ frame }: ScoredFrame) =>
    !chosen.some((other) => looksLike(other.frame.fingerprint, frame.fingerprint))
  const isOtherShot = ({ frame }: ScoredFrame) => chosen.every((other) => other.frame.shot.start !== frame.shot.start)
  for (const isWanted of [isOtherShot, () => true])
    for (const each of ranked) if (chosen.length < count && isWanted(each) && isOther(each)) chosen.push(each)
  return chosen.toSorted((a, b) => b.score - a.score || a.frame.seconds - b.frame.seconds)
}
