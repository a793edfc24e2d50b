/** A cut of more than this share of the media is more often a wrong threshold than what was meant. */
const maxRemovedShare = 0.8

export interface CutLengths {
  readonly keptSeconds: number
  readonly removedSeconds: number
}

/** "95 % of the media (10.8 of 11.4 s)" if ranges leave out so much of it that callers have to agree, or undefined. */
export function describeLargeCut({ keptSeconds, removedSeconds }: CutLengths): string | undefined {
  const seconds = keptSeconds + removedSeconds
  // Lengths are whole milliseconds.
  if (removedSeconds <= maxRemovedShare * seconds + 0.0005) return undefined
  const share = Math.min(Math.floor((removedSeconds / seconds) * 100), 99)
  return `${share} % of the media (${inTenths(removedSeconds)} of ${inTenths(seconds)} s)`
}

function inTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
