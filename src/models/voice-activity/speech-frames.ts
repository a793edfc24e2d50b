import { modelSampleRate } from '../models.ts'

/** A model for `voice-activity` judges whole frames of this many samples. */
export const speechFrameLength = 512
export const speechFrameSeconds = speechFrameLength / modelSampleRate
