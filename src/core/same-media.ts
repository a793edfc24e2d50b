import { normalForm } from './text.ts'

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

/** What is known of media without reading it. */
export interface MediaTraits {
  readonly url: string
  /** A file name, if it has one. */
  readonly name: string | null
  readonly bytes: number | undefined
}

/** Whether media of the same length seem to be of different recordings: no address, size or name is common. Talk.mp3 and talk.mp4 have a common name. */
export function seemsOther(one: MediaTraits, other: MediaTraits): boolean {
  if (one.name === null || other.name === null) return false
  const hasSameBytes = one.bytes !== undefined && one.bytes === other.bytes
  return !hasSameBytes && addressOf(one.url) !== addressOf(other.url) && stemOf(one.name) !== stemOf(other.name)
}

/** Without a signature. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

function stemOf(name: string): string {
  return normalForm(name.replace(/\.[^.]*$/, ''), 'NFC').toLowerCase()
}
