import { durationOf, type Segment } from '../../core/segments.ts'
import { speechFrameSeconds } from '../../models/voice-activity/speech-frames.ts'
import { pauseBelow, speechSegments } from './speech-segments.ts'

/** Measured: with shorter chunks or pauses, sentences lose their context, and five times as many words are wrong. The model takes 30 seconds. */
const maxChunkSeconds = 25
/** A chunk with a longer pause would hold laughter or music, which a model turns into words. */
const maxPauseSeconds = 1
/** A word's quiet beginning and end may be outside of what the model for speech finds. */
const paddingSeconds = 0.2
/** Speech without a pause is cut after at least this share of a chunk. */
const minCutShare = 0.5

/** Stretches of speech that a model transcribes one by one, from the chances of speech after `startSeconds`. */
export function speechChunks(chances: Float32Array, startSeconds: number): Segment[] {
  const end = startSeconds + chances.length * speechFrameSeconds
  const joined: Segment[] = []
  for (const speech of speechSegments(chances, startSeconds).flatMap((each) =>
    splitLong(each, chances, startSeconds),
  )) {
    const last = joined.at(-1)
    const isNear = last && speech.start - last.end <= maxPauseSeconds && speech.end - last.start <= maxChunkSeconds
    if (isNear) joined[joined.length - 1] = { start: last.start, end: speech.end }
    else joined.push(speech)
  }
  return joined.map((chunk, index) => {
    const before = joined[index - 1]?.end ?? startSeconds
    const after = joined[index + 1]?.start ?? end
    return {
      start: chunk.start - Math.min(paddingSeconds, Math.max(0, (chunk.start - before) / 2)),
      end: chunk.end + Math.min(paddingSeconds, Math.max(0, (after - chunk.end) / 2)),
    }
  })
}

/** Cuts speech that is too long for one chunk where it is least certain. */
function splitLong(speech: Segment, chances: Float32Array, startSeconds: number): Segment[] {
  if (durationOf(speech) <= maxChunkSeconds) return [speech]
  const frameAt = (seconds: number) => Math.round((seconds - startSeconds) / speechFrameSeconds)
  const from = frameAt(speech.start + maxChunkSeconds * minCutShare)
  const within = chances.subarray(from, frameAt(speech.start + maxChunkSeconds))
  const lowest = within.reduce((least, chance, index) => (chance < (within[least] ?? 1) ? index : least), 0)
  const cut = startSeconds + (from + lowest) * speechFrameSeconds
  return [{ start: speech.start, end: cut }, ...splitLong({ start: cut, end: speech.end }, chances, startSeconds)]
}

/** The middle of the longest stretch without speech, or where speech is least certain. */
export function longestPause(chances: Float32Array, startSeconds: number): number {
  let [bestStart, bestEnd] = [0, 0]
  let start = 0
  for (const [frame, chance] of chances.entries()) {
    if (chance >= pauseBelow) start = frame + 1
    else if (frame + 1 - start > bestEnd - bestStart) [bestStart, bestEnd] = [start, frame + 1]
  }
  if (bestEnd > bestStart) return startSeconds + ((bestStart + bestEnd) / 2) * speechFrameSeconds
  return startSeconds + chances.indexOf(Math.min(...chances)) * speechFrameSeconds
}
