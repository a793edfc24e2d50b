import { z } from 'zod'
import { parseItems } from '../../core/long-json.ts'
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

const measures = z.object({
  /** The longest time between two readings while the picture moved. */
  gapSeconds: z.number(),
  framesRead: z.int(),
  /** Errors while the picture was decoded. */
  decodeErrors: z.int(),
})

/** The text on the screen as it is stored. */
export interface ScreenText extends z.output<typeof measures> {
  /** In the order of their starts. */
  readonly lines: readonly ScreenLine[]
}

export const screenTextKind: TrackAnalysisKind<ScreenText> = {
  name: 'screen-text',
  format: 4001,
  parse: async (stored) => {
    const { lines, ...rest } = measures.extend({ lines: z.unknown() }).parse(stored)
    return { ...rest, lines: await parseItems(screenLine, lines) }
  },
  within: ({ lines, ...rest }, window) => ({
    ...rest,
    lines: lines.flatMap(({ start, end, ...line }) => {
      const shown = { start: Math.max(start, window.start), end: Math.min(end, window.end) }
      return shown.start < shown.end ? [{ ...line, ...shown }] : []
    }),
  }),
}
