import { z } from 'zod'

// What the frames of the source decide of a long clip, as it is stored for the job's other activities.

const segment = z.object({ start: z.number(), end: z.number() })

const placedRange = z.object({
  requested: segment,
  startTick: z.number(),
  endTick: z.number(),
  atTick: z.number(),
  firstFrameTick: z.number().optional(),
  frames: z.number(),
})

const pieces = z.array(z.object({ ranges: z.array(placedRange), lastSeconds: z.number(), endSeconds: z.number() }))

export const joinLayoutSchema = z.object({ ranges: z.array(placedRange), leftOut: z.array(segment), pieces })

export const cutLayoutSchema = z.object({
  /** Null if the window shows none. */
  frames: z
    .object({ firstSeconds: z.number(), lastSeconds: z.number(), endSeconds: z.number(), frames: z.number() })
    .nullable(),
  pieces,
})
