/** What a model listens to: mono samples, −1 to 1, at 16 kHz, in frames of 32 ms. */
export const speechSampleRate = 16_000
export const speechFrameLength = 512

/** A model that tells speech from other sound. */
export interface SpeechModel {
  /** The chance of speech in each whole frame, 0 to 1. The first frames are heard without what came before. */
  listen(samples: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}
