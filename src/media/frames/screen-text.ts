import { z } from 'zod'
import { box } from '../../models/read-text/text-lines.ts'
import type { TrackAnalysisKind } from '../analyses/track-analyses.ts'

const screenLine = z.object({
  text: z.string(),
  /** When it is shown, on the media's clock. */
  start: z.number(),
  end: z.number(),
  /** Where it was read best. */
  box,
  confidence: z.number(),
})

/** A line of text on the screen. */
export type ScreenLine = z.output<typeof screenLine>

/** The text on the screen as it is stored. */
export const screenText = z.object({
  /** In the order of their starts. */
  lines: z.array(screenLine),
  /** The longest time between two readings while the picture moved. */
  gapSeconds: z.number(),
  framesRead: z.int(),
  /** Errors while the picture was decoded. */
  decodeErrors: z.int(),
})

export type ScreenText = z.output<typeof screenText>

export const screenTextKind: TrackAnalysisKind<ScreenText> = {
  name: 'screen-text',
  format: 4001,
  schema: screenText,
  within: ({ lines, ...rest }, window) => ({
    ...rest,
    lines: lines.flatMap(({ start, end, ...line }) => {
      const shown = { start: Math.max(start, window.start), end: Math.min(end, window.end) }
      return shown.start < shown.end ? [{ ...line, ...shown }] : []
    }),
  }),
}
