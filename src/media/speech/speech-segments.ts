import { pad, type Segment } from '../../core/segments.ts'
import { speechFrameSeconds } from '../../models/voice-activity/speech-frames.ts'

// As in the model's own `get_speech_timestamps` (snakers4/silero-vad, utils_vad.py).
const startsAt = 0.5
/** A frame with a lower chance of speech is a pause. */
export const pauseBelow = 0.35
const minPauseSeconds = 0.1
const paddingSeconds = 0.03

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
  return pad(speech, paddingSeconds, { start: startSeconds, end })
}
