import { startTurns } from '../../core/turns.ts'
import type { WordSpan } from './find-phrases.ts'

export interface SaidWord {
  /** In the form in which words are compared. */
  readonly word: string
  /** Whether a sentence ends with it. */
  readonly endsSentence: boolean
}

/** Who begins again seldom repeats more words. */
const maxRepeatedWords = 8

/** Said twice on purpose, or by grammar. */
const saidTwice: ReadonlySet<string> = new Set([
  ...[
    'very',
    'really',
    'so',
    'too',
    'far',
    'much',
    'many',
    'long',
    'more',
    'had',
    'that',
    'no',
    'yes',
    'yeah',
    'okay',
    'ok',
  ],
  ...['bye', 'ha', 'hey', 'now', 'there', 'never', 'again', 'please', 'thank'],
  ...['zero', 'oh', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'double'],
])

/** Between equal words, these make a series: `again and again and again`. */
const joining: ReadonlySet<string | undefined> = new Set(['and', 'or', 'by', 'after', 'upon'])

/**
 * Stutters and false starts: words that are said again right after. Each span is the earlier, abandoned one.
 * Numbers and words that people say twice on purpose stay, and so do series such as `step by step by step`.
 */
export async function findRepeats(words: readonly SaidWord[]): Promise<WordSpan[]> {
  const turns = startTurns()
  const found: WordSpan[] = []
  for (let first = 0; first < words.length; first += 1) {
    if (turns.isDue()) await turns.next()
    const length = repeatedFrom(words, first)
    if (length === 0) continue
    found.push({ first, end: first + length })
    first += length - 1
  }
  return found
}

/** The number of words from `first` on that are said again right after them; 0 if they are not. */
function repeatedFrom(words: readonly SaidWord[], first: number): number {
  for (let length = maxRepeatedWords; length > 0; length -= 1) {
    if (words[first]?.word !== words[first + length]?.word) continue
    const earlier = words.slice(first, first + length)
    const isRepeated = earlier.every(({ word }, index) => word === words[first + length + index]?.word)
    if (isRepeated && !isTwoSentences(earlier) && !isDoubled(earlier) && !isSeries(words, first, length)) return length
  }
  return 0
}

/** Short sentences are said twice on purpose: `Go away. Go away.` Who says a longer one again begins again. */
function isTwoSentences(words: readonly SaidWord[]): boolean {
  return words.length < minRetakenWords && words.some(({ endsSentence }) => endsSentence)
}

const minRetakenWords = 4

function isDoubled(words: readonly SaidWord[]): boolean {
  return words.every(({ word }) => saidTwice.has(word) || /\p{N}/u.test(word))
}

/** Whether the two words belong to a series, which begins before them or ends after them. */
function isSeries(words: readonly SaidWord[], first: number, length: number): boolean {
  const [before, one, other, after] = [first - 1, first, first + 1, first + 4].map((at) => words[at]?.word)
  if (length !== 2) return false
  return (joining.has(one) && other === before) || (joining.has(other) && one === after)
}
