import { z } from 'zod'

/** A part of a picture. Fractions of its width and height, from the top left corner, so that they hold at every size. */
export const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

export type Box = z.output<typeof box>

const textLine = z.object({
  text: z.string().min(1),
  box,
  /** 0 to 1. */
  confidence: z.number(),
})

export type TextLine = z.output<typeof textLine>

/** What a model for `read-text` returns: the lines of text in the picture, from the top to the bottom. */
export const textLines = z.array(textLine)
