import type { Segment } from '../../core/segments.ts'
import { decodeAudio, type TrackInput } from '../sound/decode-audio.ts'
import { type SpeechModel, speechSampleRate } from './speech-model.ts'
import { speechSegments } from './speech-segments.ts'

export interface SpeechInput extends Omit<TrackInput, 'track'> {
  /** In seconds. */
  readonly window: Segment
  readonly model: SpeechModel
}

/** The model has settled after this. */
const leadSeconds = 1
/** Speech that goes on past the window is told from its last syllable by what follows. */
const trailSeconds = 0.25

const fullScale = 32_768

/** Where there is speech in a window of an audio track, and a little around it; only that is decoded. */
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
