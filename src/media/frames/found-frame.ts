import { z } from 'zod'
import { durationOf } from '../../core/segments.ts'
import { faces } from '../../models/find-faces/faces.ts'
import type { TrackAnalysisKind } from '../analyses/track-analyses.ts'

// What is found about frames, as it is stored. Scores follow from it, and can change without another decoding.

export const foundFrame = z.object({
  /** On the clock where the media starts at 0, to the millisecond. */
  seconds: z.number(),
  /** The stretch around it with about the same picture. */
  shot: z.object({ start: z.number(), end: z.number() }),
  /** As in `PictureMeasures`. */
  measures: z.object({
    luma: z.number(),
    deviation: z.number(),
    structure: z.number(),
    detail: z.number(),
    dark: z.number(),
    bright: z.number(),
    colourfulness: z.number(),
  }),
  /** Difference to the frames around it, 0 to 255. */
  motion: z.number(),
  fingerprint: z.array(z.number()),
  faces,
})

export type FoundFrame = z.output<typeof foundFrame>

/** The most promising frames of a window, in order. */
export const foundFrames = z.object({ start: z.number(), end: z.number(), frames: z.array(foundFrame) })

export type FoundFrames = z.output<typeof foundFrames>

/** A longer window has as many frames as a short one, so it has too few for a small part of it. */
const maxTimesLonger = 1.5

export const foundFramesKind: TrackAnalysisKind<FoundFrames> = {
  name: 'found-frames',
  format: 5002,
  parse: async (stored) => foundFrames.parse(stored),
  within: ({ frames, ...whole }, { start, end }) =>
    durationOf(whole) > maxTimesLonger * (end - start)
      ? undefined
      : { start, end, frames: frames.filter(({ seconds }) => seconds >= start && seconds <= end) },
}
