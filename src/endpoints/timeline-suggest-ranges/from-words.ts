import { ServiceError } from '../../core/errors.ts'
import { complement } from '../../core/segments.ts'
import { counted, quotedList } from '../../core/text.ts'
import { mapInTurns } from '../../core/turns.ts'
import type { EarlierWords } from '../define-timeline-endpoint.ts'
import { assertSegmentCount, presentSegment } from '../format.ts'
import { resolveWindow } from '../job-window.ts'
import { findCuts, type TextCut, type TextCuts, type WordsToCut } from './find-cuts.ts'

/** The ranges that stay when the unwanted words are cut, and what was cut. Throws `nothing_found` if no word was heard. */
export async function rangesFromWords({ words, window, mediaSeconds }: EarlierWords, wanted: WordsToCut) {
  if (words.length === 0)
    throw new ServiceError('nothing_found', 'The job heard no words. Choose media, or a window, with English speech.')
  const within = resolveWindow(window, mediaSeconds)
  const found = await findCuts(words, within, wanted)
  for (const list of [found.cuts, found.uncut]) assertSegmentCount(list.length, 'Cut less')
  const cuts = await mapInTurns(found.cuts, presentCut)
  const uncut = await mapInTurns(found.uncut, presentCut)
  const ranges = complement(cuts, presentSegment(within))
  assertSegmentCount(ranges.length, 'Cut less')
  return { ranges, within, cuts, uncut, warnings: warnOf(found) }
}

function presentCut({ text, reason, ...span }: TextCut) {
  return { ...presentSegment(span), text, reason }
}

function warnOf({ cuts, uncut, missing }: TextCuts): string[] {
  const warnings: string[] = []
  if (uncut.length > 0)
    warnings.push(
      `Not cut, because no quiet moment is beside them: ${uncut.length} of ${counted(uncut.length + cuts.length, 'place')}. uncut in the result of timeline/suggest-ranges lists what stays.`,
    )
  if (missing.length > 0) {
    const listed = quotedList(missing, { maxListed: 20, maxLength: 200 })
    warnings.push(`Not said, of settings.keep_text: ${listed}.`)
  }
  return warnings
}
