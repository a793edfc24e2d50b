import { z } from 'zod'

/** A model for `sound-tags` judges windows of this length, one every hop. */
export const tagWindowSeconds = 0.975
export const tagHopSeconds = 0.24

export const laughterKinds = ['laughter', 'baby_laughter', 'giggle', 'snicker', 'belly_laugh', 'chuckle'] as const

const scores = z.instanceof(Float32Array)

/** What a model for `sound-tags` returns: for each kind of sound, its probability in each window, 0 to 1. */
export const soundTags = z.object({
  laughter: scores,
  baby_laughter: scores,
  giggle: scores,
  snicker: scores,
  belly_laugh: scores,
  chuckle: scores,
})

export type SoundTags = z.output<typeof soundTags>
