import type { Segment } from '../../core/segments.ts'
import type { TrackInput } from '../sound/decode-audio.ts'
import { decodeStretch } from './decode-stretch.ts'
import { speechSegments } from './speech-segments.ts'

/** The probability of speech in each whole frame (`voice-activity`). */
export type HearSpeech = (samples: Float32Array) => Promise<Float32Array>

export interface SpeechInput extends TrackInput {
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
