import { ServiceError } from '../../core/errors.ts'
import { collectInTurns } from '../../core/turns.ts'
import { createWordForms } from '../match-words.ts'
import { alignWords, type WordPair } from './align-words.ts'

export interface KeptText {
  /** Positions of the spoken words that say the text. */
  readonly kept: ReadonlySet<number>
  /** Stretches of the text that nobody said, as written. */
  readonly missing: readonly string[]
}

/** 25,000 words of text and 20,000 of speech, two hours, take up to half a second. */
const maxComparisons = 500_000_000

/** The most additional words that one misheard word may have become. */
const moreWordsHeard = 2

/**
 * Finds who says the text. Case, accents, punctuation and the endings of words do not count. Where other words are heard in place of some
 * of the text, they count as these, because transcripts write numbers and names in other ways. Throws `nothing_found` if nothing of it was said.
 */
export async function findText(keepText: string, spokenTexts: readonly string[]): Promise<KeptText> {
  const formsOf = createWordForms('stem')
  const written = keepText.split(/\s+/)
  const text = await collectInTurns(partsOf(written, formsOf))
  const spoken = await collectInTurns(partsOf(spokenTexts, formsOf))
  if (text.length * spoken.length > maxComparisons)
    throw new ServiceError(
      'invalid_request',
      `settings.keep_text has ${text.length} words, and the speech ${spoken.length}: one job cannot compare that many. Send a part of the text, with the job of the window where it is spoken.`,
    )
  const pairs = await pairWords(text, spoken)
  if (pairs.length === 0)
    throw new ServiceError('nothing_found', 'Nothing of settings.keep_text was said. Check the text, and its language.')
  const matched = [...pairs, ...heardOtherwise(pairs, { text: text.length, spoken: spoken.length })]
  const said = new Set(matched.map((pair) => pair.text))
  const missing = text.filter((_, at) => !said.has(at)).map(({ at }) => at)
  const kept = new Set(matched.map((pair) => spoken[pair.spoken]?.at ?? 0))
  return { kept, missing: stretchesOf(written, missing) }
}

/** A word in the form in which words are compared, with the position of what contains it. */
interface Part {
  readonly word: string
  readonly at: number
}

function* partsOf(tokens: readonly string[], formsOf: (token: string) => readonly string[]): Generator<Part> {
  for (const [at, token] of tokens.entries()) for (const word of formsOf(token)) yield { word, at }
}

async function pairWords(text: readonly Part[], spoken: readonly Part[]): Promise<WordPair[]> {
  const [texts, heard] = [text.map(({ word }) => word), spoken.map(({ word }) => word)]
  return withFewerBreaks(await alignWords(texts, heard), texts, heard)
}

/** Pairs of what is between the pairs, where a few other words are heard in place of some of the text. */
function heardOtherwise(pairs: readonly WordPair[], end: WordPair): WordPair[] {
  return [...pairs, end].flatMap((next, index) => {
    const before = pairs[index - 1] ?? { text: -1, spoken: -1 }
    const [left, others] = [next.text - before.text - 1, next.spoken - before.spoken - 1]
    if (left === 0 || others === 0 || others > left + moreWordsHeard) return []
    return Array.from({ length: Math.max(left, others) }, (_, at) => ({
      text: before.text + 1 + Math.min(at, left - 1),
      spoken: before.spoken + 1 + Math.min(at, others - 1),
    }))
  })
}

/**
 * The same words of the text, said with fewer breaks: a run of pairs moves to right after the pair before it, where the same words
 * are said too.
 */
export function withFewerBreaks(
  pairs: readonly WordPair[],
  text: readonly string[],
  spoken: readonly string[],
): WordPair[] {
  const moved: WordPair[] = []
  for (let first = 0; first < pairs.length; ) {
    let end = first + 1
    while (end < pairs.length && follows(pairs[end - 1], pairs[end])) end += 1
    const run = pairs.slice(first, end)
    const before = moved.at(-1)
    const at = (before?.spoken ?? 0) + 1
    const isSaidBefore =
      before?.text === (run[0]?.text ?? 0) - 1 && run.every((pair, index) => text[pair.text] === spoken[at + index])
    for (const [index, pair] of run.entries()) moved.push(isSaidBefore ? { ...pair, spoken: at + index } : pair)
    first = end
  }
  return moved
}

function follows(before: WordPair | undefined, pair: WordPair | undefined): boolean {
  return before?.text === (pair?.text ?? 0) - 1 && before.spoken === (pair?.spoken ?? 0) - 1
}

/** The stretches at these positions, which are in order, as written. */
function stretchesOf(written: readonly string[], positions: readonly number[]): string[] {
  const stretches: { text: string; last: number }[] = []
  for (const at of positions) {
    const stretch = stretches.at(-1)
    const word = written[at] ?? ''
    if (stretch?.last === at) continue
    if (stretch?.last === at - 1) Object.assign(stretch, { text: `${stretch.text} ${word}`, last: at })
    else stretches.push({ text: word, last: at })
  }
  return stretches.map(({ text }) => text)
}
