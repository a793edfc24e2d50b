/** Containers round lengths to packets: the same recording in another container is longer or shorter by less than this. */
const toleranceSeconds = 0.1

/** What follows the name of a job that read media of another length than this media; undefined if both can be the same media. */
export function otherLength(readSeconds: number, mediaSeconds: number): string | undefined {
  if (Math.abs(readSeconds - mediaSeconds) <= toleranceSeconds) return undefined
  return `is of media of ${roundToTenth(readSeconds)} s, this media has ${roundToTenth(mediaSeconds)} s.`
}

/** Lengths that differ by more than the tolerance differ in tenths too. */
function roundToTenth(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
