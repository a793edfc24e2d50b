import { z } from 'zod'

/** A face in a picture, whose width and height count as 1. A box reaches past the picture where the face does. */
export const face = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** 0 to 1. */
  score: z.number(),
})

/** What a model for `find-faces` returns: boxes that hardly overlap, the surest first. */
export const faces = z.array(face)

export type Face = z.output<typeof face>
