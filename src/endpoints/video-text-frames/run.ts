import type { z } from 'zod'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf, maxResultSegments, normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { mapInTurns, startTurns } from '../../core/turns.ts'
import type { ScreenLine, ScreenText } from '../../media/frames/text-reader.ts'
import type { Box } from '../../models/models.ts'
import { assertSegmentCount, presentSegment, toHundredths, toThousandths, totalSeconds } from '../format.ts'
import { createMatcher, type FindMatches } from '../match-words.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { RunContext } from '../run-contract.ts'
import type { textFramesSettings } from './declaration.ts'

type Settings = z.output<typeof textFramesSettings>

const videoTrack = { index: 0 }

export async function runTextFrames({ media: { info }, settings, screenTexts, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const { value: screen, analysis } = await screenTexts.get({
    track: videoTrack,
    window,
    onProgress: job.reportProgress,
  })
  const read = screen.lines.filter(
    ({ confidence, box }) => confidence >= settings.min_confidence && hasMiddleOf(settings.region, box),
  )
  assertSegmentCount(read.length, 'Raise min_confidence')
  const lines = await mapInTurns(read, presentLine)
  const found = await matchLines(lines, createMatcher(settings.queries, settings.match))
  assertSegmentCount(found.length, 'Send fewer queries')
  const matches = found.map(({ query, line }) => ({ query, ...line }))
  const segments = normalize(settings.queries.length > 0 ? matches : lines).map(presentSegment)
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      matches,
      segments,
      lines,
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [],
    warnings: warningsOf(screen),
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}

function hasMiddleOf(region: Box, { x, y, width, height }: Box): boolean {
  const isWithin = (middle: number, start: number, length: number) => middle >= start && middle <= start + length
  return isWithin(x + width / 2, region.x, region.width) && isWithin(y + height / 2, region.y, region.height)
}

function presentLine({ text, confidence, box: { x, y, width, height }, ...shown }: ScreenLine) {
  const [left, top] = [toThousandths(x), toThousandths(y)]
  return {
    text,
    ...presentSegment(shown),
    box: { x: left, y: top, width: toThousandths(width), height: toThousandths(height) },
    confidence: toHundredths(confidence),
  }
}

/** Each line once for each query that is in it. Of more than a result can have, a few more. */
async function matchLines<Line extends Pick<ScreenLine, 'text' | 'confidence'>>(
  lines: readonly Line[],
  findMatches: FindMatches,
) {
  const turns = startTurns()
  const found: { readonly query: string; readonly line: Line }[] = []
  for (const line of lines) {
    if (found.length > maxResultSegments) break
    if (turns.isDue()) await turns.next()
    const { text, confidence } = line
    const matches = await findMatches(text.split(/\s+/).map((word) => ({ text: word, confidence })))
    for (const query of new Set(matches.map((match) => match.query))) found.push({ query, line })
  }
  return found
}

function warningsOf({ gapSeconds, decodeErrors }: ScreenText): string[] {
  const gap = `The picture moves for so long that only one frame every ${gapSeconds.toFixed(1)} s was read: text that is shown for a shorter time can be missing. Choose a shorter window for all of it.`
  const damage = 'The media is damaged: where its picture could not be decoded, the result can be wrong.'
  return [...(gapSeconds > 1 ? [gap] : []), ...(decodeErrors > 0 ? [damage] : [])]
}
