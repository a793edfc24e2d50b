import type { Segment } from '../../core/segments.ts'
import { modelSampleRate } from '../../models/models.ts'
import { decodeAudio, type TrackInput } from '../sound/decode-audio.ts'
import { fullScale } from '../sound/envelope.ts'

export interface DecodedStretch {
  /** Mono, −1 to 1, at the rate of the models. Silence past the end of a short track. */
  readonly samples: Float32Array
  readonly decodeErrors: number
}

/** Decodes a stretch of a track for models. */
export async function decodeStretch(
  track: Omit<TrackInput, 'track'>,
  { start, end }: Segment,
  onProgress?: (fraction: number) => void,
): Promise<DecodedStretch> {
  const { input, trackIndex, ffmpeg, signal } = track
  const [startFrame, endFrame] = [Math.round(start * modelSampleRate), Math.round(end * modelSampleRate)]
  const samples = new Float32Array(endFrame - startFrame)
  let taken = 0
  const { decodeErrors } = await decodeAudio({
    ...{ input, trackIndex, ffmpeg, signal, startFrame, endFrame },
    track: { sampleRate: modelSampleRate, channels: 1 },
    ...(onProgress ? { onProgress } : {}),
    onSamples: (part) => {
      for (const sample of part.subarray(0, samples.length - taken)) samples[taken++] = sample / fullScale
    },
  })
  return { samples, decodeErrors }
}
