import type { Segment } from '../../src/core/segments.ts'

export interface TalkPlan {
  /** The recorded phrases and their start times. */
  readonly phrases: readonly { readonly phrase: number; readonly startSeconds: number }[]
  /** Pauses of 0.6 s or more each; the gaps between other phrases are at most a third of a second. */
  readonly pauses: readonly Segment[]
}

export interface TalkLength {
  readonly seconds: number
  readonly pauses: number
}

interface Lengths {
  readonly shortest: number
  readonly longest: number
}

const gapSeconds: Lengths = { shortest: 0.16, longest: 0.32 }
const pauseSeconds: Lengths = { shortest: 0.6, longest: 1.8 }

/** A talk of recorded phrases and pauses, the same at every call. Its last phrase can extend past the end. */
export function planTalk(phraseSeconds: readonly number[], talk: TalkLength): TalkPlan {
  const random = seeded(5)
  const between = ({ shortest, longest }: Lengths) => toMillisecond(shortest + random() * (longest - shortest))
  const meanPause = (pauseSeconds.shortest + pauseSeconds.longest) / 2
  const partSeconds = (talk.seconds - talk.pauses * meanPause) / (talk.pauses + 1)
  const phrases: { phrase: number; startSeconds: number }[] = []
  const pauses: Segment[] = []
  let at = 0
  const speak = () => {
    const phrase = Math.floor(random() * phraseSeconds.length)
    phrases.push({ phrase, startSeconds: at })
    at = toMillisecond(at + (phraseSeconds[phrase] ?? 0))
  }
  for (let left = talk.pauses; left >= 0; left--) {
    // Absolute times, so that a longer part makes the next one shorter.
    const partEnd = talk.seconds - left * (partSeconds + meanPause)
    speak()
    while (at < partEnd) {
      at = toMillisecond(at + between(gapSeconds))
      speak()
    }
    if (left === 0) break
    const pause = { start: at, end: toMillisecond(at + between(pauseSeconds)) }
    pauses.push(pause)
    at = pause.end
  }
  return { phrases, pauses }
}

/** A whole number of samples at every rate in use. */
function toMillisecond(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
