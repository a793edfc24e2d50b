import type { Segment } from '../../core/segments.ts'
import { decodeAudio, type TrackInput } from '../sound/decode-audio.ts'
import { type SpeechModel, speechSampleRate } from './speech-model.ts'
import { speechSegments } from './speech-segments.ts'

export interface SpeechInput extends Omit<TrackInput, 'track'> {
  /** In seconds. */
  readonly window: Segment
  readonly model: SpeechModel
}

/** The model needs this long to settle. */
const leadSeconds = 1
/** The model needs this much of what follows to tell continuing speech from a last syllable. */
const trailSeconds = 0.25

const fullScale = 32_768

/** Finds speech in a window of an audio track and slightly beyond. Decodes only that part. */
export async function findSpeech({ window, model, ...input }: SpeechInput): Promise<Segment[]> {
  const startFrame = Math.floor(Math.max(0, window.start - leadSeconds) * speechSampleRate)
  const endFrame = Math.ceil((window.end + trailSeconds) * speechSampleRate)
  const samples = new Float32Array(endFrame - startFrame)
  let taken = 0
  await decodeAudio({
    ...{ ...input, track: { sampleRate: speechSampleRate, channels: 1 }, startFrame, endFrame },
    onSamples: (part) => {
      for (const sample of part.subarray(0, samples.length - taken)) samples[taken++] = sample / fullScale
    },
  })
  return speechSegments(await model.listen(samples), startFrame / speechSampleRate)
}
