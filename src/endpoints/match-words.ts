import leven from 'leven'
import { stemmer } from 'stemmer'
import type { SpokenWord } from '../models/transcribe/spoken-words.ts'
import type { WordMatching } from './fields.ts'

export interface WordMatch {
  readonly query: string
  /** Index of its first word, and of the word after its last. */
  readonly first: number
  readonly end: number
  /** Of its least certain word. */
  readonly confidence: number
}

/** Where the queries are among the words, in the order of time. Matches of one query do not overlap. */
export function matchWords(
  words: readonly Pick<SpokenWord, 'text' | 'confidence'>[],
  queries: readonly string[],
  matching: WordMatching,
): WordMatch[] {
  const spoken = words.flatMap(({ text, confidence }, index) =>
    wordsOf(text).map((word) => ({ word: comparedForm(word, matching), confidence, index })),
  )
  const matches = queries.flatMap((query) => {
    const wanted = wordsOf(query).map((word) => comparedForm(word, matching))
    const found: WordMatch[] = []
    for (let at = 0; wanted.length > 0 && at + wanted.length <= spoken.length; at += 1) {
      const part = spoken.slice(at, at + wanted.length)
      if (!part.every(({ word }, index) => isSame(word, wanted[index] ?? '', matching))) continue
      const [first, last] = [part[0]?.index ?? 0, part.at(-1)?.index ?? 0]
      const confidence = Math.min(...part.map((each) => each.confidence))
      found.push({ query, first, end: last + 1, confidence })
      at += wanted.length - 1
    }
    return found
  })
  return matches.toSorted((a, b) => a.first - b.first || a.end - b.end)
}

/** The words of a text without case, accents and punctuation. `it's` is one word, `well-known` two. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/['’]/g, '').match(/[\p{L}\p{N}]+/gu) ?? []
}

function comparedForm(word: string, matching: WordMatching): string {
  return matching === 'stem' ? stemmer(word) : word
}

/** A word of four letters may differ by one, one of eight by two. */
const lettersPerDifference = 4

function isSame(word: string, wanted: string, matching: WordMatching): boolean {
  if (word === wanted || matching !== 'fuzzy') return word === wanted
  const most = Math.floor(wanted.length / lettersPerDifference)
  // Quicker than `leven`, which takes the time of both lengths multiplied.
  return Math.abs(word.length - wanted.length) <= most && leven(word, wanted) <= most
}
