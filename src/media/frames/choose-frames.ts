interface Timed {
  readonly seconds: number
}

/** A picture that is shown for this share of the gap has settled: it is read even if others follow soon. */
const settledShare = 0.5

/**
 * The indexes of the frames to read first, in order: frames that stay for a while, at least one every `gapSeconds` while the picture
 * moves, the first and the last.
 */
export function framesToRead(frames: readonly Timed[], gapSeconds: number): number[] {
  const chosen: number[] = []
  /** The picture is known up to this time. */
  let knownUntil = Number.NEGATIVE_INFINITY
  for (const [index, { seconds }] of frames.entries()) {
    const until = frames[index + 1]?.seconds ?? Number.POSITIVE_INFINITY
    const hasSettled = until - seconds >= gapSeconds * settledShare
    if (!hasSettled && until - knownUntil <= gapSeconds) continue
    chosen.push(index)
    knownUntil = hasSettled ? until : seconds
  }
  return chosen
}

/**
 * The frames without those that are followed too soon, so that a bounded number covers any time. Each that stays was shown for
 * `spacingSeconds`, or comes so long after the one before.
 */
export function thinOut<Frame extends Timed>(frames: readonly Frame[], spacingSeconds: number): Frame[] {
  const kept: Frame[] = []
  for (const [index, frame] of frames.entries()) {
    const before = kept.at(-1)
    const next = frames[index + 1]
    const isCrowded = before && next && frame.seconds - before.seconds < spacingSeconds
    if (isCrowded && next.seconds - frame.seconds < spacingSeconds) continue
    kept.push(frame)
  }
  return kept
}
