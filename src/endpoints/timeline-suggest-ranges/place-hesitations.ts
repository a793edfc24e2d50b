import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import type { Hesitation } from '../../media/speech/hesitations.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'

/** What a hesitation is listed as. */
export const hesitationText = 'uh?'

interface PlacedHesitations {
  /** Of the transcript, with the hesitations that are certain among them. */
  readonly words: readonly EarlierWord[]
  /** Where each word of the transcript is among them. */
  readonly positions: readonly number[]
  /** Where the hesitations are among them: added, or a word of the transcript. */
  readonly added: readonly number[]
  /** Hesitations that may be words, or meet one, in the order of time. */
  readonly doubtful: readonly Segment[]
}

/** Puts the certain hesitations between the words of a transcript. Both are in the order of time. */
export async function placeHesitations(
  transcribed: readonly EarlierWord[],
  hesitations: readonly Hesitation[],
): Promise<PlacedHesitations> {
  const turns = startTurns()
  const [words, positions, added, doubtful]: [EarlierWord[], number[], number[], Segment[]] = [[], [], [], []]
  let [next, said] = [0, 0]
  const placeBefore = (start: number) => {
    for (let found = hesitations[next]; found && found.start < start; found = hesitations[++next]) {
      if (!isCertain(found) || found.start < said || found.end > start) {
        doubtful.push(found)
        continue
      }
      added.push(words.length)
      words.push({ ...found, text: hesitationText })
      said = found.end
    }
  }
  for (const word of transcribed) {
    if (turns.isDue()) await turns.next()
    placeBefore(word.start)
    const same = hesitations[next]
    if (same && isAtWord(same, word)) {
      added.push(words.length)
      next += 1
    }
    positions.push(words.length)
    words.push(word)
    said = Math.max(said, word.end)
  }
  placeBefore(Infinity)
  return { words, positions, added, doubtful }
}

function isCertain({ quietBefore, quietAfter }: Hesitation): boolean {
  return quietBefore !== null && quietAfter !== null
}

/** Whether the transcript has a word for the hesitation, such as "Ah". */
function isAtWord(found: Hesitation, { start, end }: EarlierWord): boolean {
  return isCertain(found) && found.start === start && found.end === end
}
