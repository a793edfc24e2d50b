import leven from 'leven'
import { stemmer } from 'stemmer'
import { nextTurn } from '../core/turns.ts'
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
export type FindMatches = (words: readonly Pick<SpokenWord, 'text' | 'confidence'>[]) => Promise<WordMatch[]>

/** A query as words in the form in which they are compared. */
interface Wanted {
  readonly query: string
  readonly words: readonly string[]
}

/** A few milliseconds, counted in letters. */
const comparedPerTurn = 1_000_000

/**
 * Finds queries in one list of words after the other. A day of speech is searched for a hundred queries, so each different word is
 * compared once, and other work has its turns meanwhile.
 */
export function createMatcher(queries: readonly string[], matching: WordMatching): FindMatches {
  const formsOf = createWordForms(matching)
  const wanted = queries.map((query): Wanted => ({ query, words: formsOf(query) }))
  let compared = 0
  const isSame = (word: string, other: string) => {
    compared += word.length * (matching === 'fuzzy' ? other.length : 1)
    return word === other || (matching === 'fuzzy' && isSimilar(word, other))
  }
  const startingWith = memoized((word) =>
    wanted.filter(({ words: [first] }) => first !== undefined && isSame(word, first)),
  )

  return async (words) => {
    const spoken = words.flatMap(({ text, confidence }, index) =>
      formsOf(text).map((word) => ({ word, confidence, index })),
    )
    const isSaidAt = (at: number, said: readonly string[]) =>
      at + said.length <= spoken.length && said.every((each, index) => isSame(spoken[at + index]?.word ?? '', each))
    const matches: WordMatch[] = []
    /** Where each query can begin again. */
    const free = new Map<Wanted, number>()
    for (const [at, { word, index: first }] of spoken.entries()) {
      for (const candidate of startingWith(word)) {
        if (at < (free.get(candidate) ?? 0) || !isSaidAt(at, candidate.words)) continue
        const part = spoken.slice(at, at + candidate.words.length)
        const confidence = Math.min(...part.map((each) => each.confidence))
        matches.push({ query: candidate.query, first, end: (part.at(-1)?.index ?? first) + 1, confidence })
        free.set(candidate, at + part.length)
      }
      if (compared < comparedPerTurn) continue
      compared = 0
      await nextTurn()
    }
    return matches.toSorted((a, b) => a.first - b.first || a.end - b.end)
  }
}

/** The words of a text as `matching` compares them. Texts repeat their words, so each different text is read once. */
export function createWordForms(matching: WordMatching): (text: string) => readonly string[] {
  return memoized((text) => wordsOf(text).map((word) => (matching === 'stem' ? stemmer(word) : word)))
}

/** The words of a text without case, accents and punctuation. `it's` is one word, `well-known` two. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/['’]/g, '').match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A word of four letters may differ by one, one of eight by two. */
const lettersPerDifference = 4

function isSimilar(word: string, wanted: string): boolean {
  const most = Math.floor(wanted.length / lettersPerDifference)
  // Quicker than `leven`, which takes the time of both lengths multiplied.
  return Math.abs(word.length - wanted.length) <= most && leven(word, wanted) <= most
}

function memoized<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = compute(text)
    known.set(text, value)
    return value
  }
}
