import { durationOf, pad, type Segment } from '../../core/segments.ts'
import { modelSampleRate, speechFrameSeconds } from '../../models/models.ts'
import { decodeAudio, decodeWhole, type TrackInput } from '../sound/decode-audio.ts'
import { createChannelMixer, type MixedChannels } from './mix-channels.ts'

/** The probability of speech in each whole frame (`voice-activity`). */
export type HearSpeech = (samples: Float32Array) => Promise<Float32Array>

interface SpeechInput extends TrackInput {
  /** In seconds. */
  readonly window: Segment
  readonly hearSpeech: HearSpeech
}

/** The model needs this long to settle. */
const leadSeconds = 1
/** The model needs this much of what follows to tell continuing speech from a last syllable. */
const trailSeconds = 0.25

/** Finds speech in a window of an audio track and slightly beyond. Decodes only that part. */
export async function findSpeech({ window, hearSpeech, ...input }: SpeechInput): Promise<Segment[]> {
  const start = Math.max(0, window.start - leadSeconds)
  const { samples } = await decodeStretch(input, { start, end: window.end + trailSeconds })
  return speechSegments(await hearSpeech(samples), start)
}

/** At the rate of the models. Silence past the end of a short track. */
interface DecodedStretch extends MixedChannels {
  readonly decodeErrors: number
}

/** Decodes a stretch of a track for models. */
export async function decodeStretch(
  input: TrackInput,
  { start, end }: Segment,
  onProgress?: (fraction: number) => void,
): Promise<DecodedStretch> {
  const [startFrame, endFrame] = [Math.round(start * modelSampleRate), Math.round(end * modelSampleRate)]
  const track = { ...input.track, sampleRate: modelSampleRate }
  return decodeWhole({ ...input, track }, { start, end }, async (sound) => {
    const mixer = createChannelMixer(sound.track.channels, endFrame - startFrame)
    const { decodeErrors } = await decodeAudio({
      ...{ ...input, ...sound, startFrame, endFrame, onSamples: mixer.push },
      ...(onProgress ? { onProgress } : {}),
    })
    return { ...mixer.finish(), decodeErrors }
  })
}

/** Measured: with shorter chunks or pauses, sentences lose their context, and five times as many words are wrong. The model takes 30 seconds. */
const maxChunkSeconds = 25
/** A chunk with a longer pause would hold laughter or music, which a model turns into words. */
const maxPauseSeconds = 1
/** A word's quiet beginning and end may be outside of what the model for speech finds. */
const chunkPaddingSeconds = 0.2
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
      start: chunk.start - Math.min(chunkPaddingSeconds, Math.max(0, (chunk.start - before) / 2)),
      end: chunk.end + Math.min(chunkPaddingSeconds, Math.max(0, (after - chunk.end) / 2)),
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

// As in the model's own `get_speech_timestamps` (snakers4/silero-vad, utils_vad.py).
const startsAt = 0.5
/** A frame with a lower chance of speech is a pause. */
export const pauseBelow = 0.35
const minPauseSeconds = 0.1
const segmentPaddingSeconds = 0.03

/** Segments of speech, from the probability of each frame after `startSeconds`. A pause is 100 ms or longer. */
export function speechSegments(chances: Float32Array, startSeconds: number): Segment[] {
  const end = startSeconds + chances.length * speechFrameSeconds
  const speech: Segment[] = []
  let start: number | undefined
  let pauseStart: number | undefined
  for (const [frame, chance] of chances.entries()) {
    const at = startSeconds + frame * speechFrameSeconds
    if (chance >= startsAt) {
      start ??= at
      pauseStart = undefined
    } else if (start !== undefined && chance < pauseBelow) {
      pauseStart ??= at
      if (at + speechFrameSeconds - pauseStart < minPauseSeconds) continue
      speech.push({ start, end: pauseStart })
      start = undefined
      pauseStart = undefined
    }
  }
  if (start !== undefined) speech.push({ start, end })
  return pad(speech, segmentPaddingSeconds, { start: startSeconds, end })
}
