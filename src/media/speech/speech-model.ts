/** A model's input: mono samples, −1 to 1, at 16 kHz, in frames of 32 ms. */
export const speechSampleRate = 16_000
export const speechFrameLength = 512

/** A model that tells speech from other sound. */
export interface SpeechModel {
  /** Probability of speech in each whole frame, 0 to 1. The first frames are judged without context. */
  listen(samples: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}
