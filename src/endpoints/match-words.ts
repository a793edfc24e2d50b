import leven from 'leven'
import { stemmer } from 'stemmer'
import { maxResultSegments } from '../core/segments.ts'
import { normalForm, quotedList } from '../core/text.ts'
import { collectInTurns, mapInTurns } from '../core/turns.ts'
import type { SpokenWord } from '../models/models.ts'
import type { WordMatching } from './fields.ts'

interface WordMatch {
  readonly query: string
  /** Index of its first word, and of the word after its last. */
  readonly first: number
  readonly end: number
  /** Of its least certain word. */
  readonly confidence: number
}

/** Where the queries are among the words, in the order of time. Matches of one query do not overlap. Of more than a result can have, one more. */
export type FindMatches = (words: readonly Pick<SpokenWord, 'text' | 'confidence'>[]) => Promise<WordMatch[]>

/** A query as words in the form in which they are compared. */
interface Wanted {
  readonly query: string
  readonly words: readonly string[]
}

/**
 * Finds queries in one list of words after the other. A day of speech is searched for a hundred queries, so each different word is
 * compared once, and other work has its turns meanwhile.
 */
export function createMatcher(queries: readonly string[], matching: WordMatching): FindMatches {
  const formsOf = createWordForms(matching)
  const wanted = queries.map((query): Wanted => ({ query, words: formsOf(query) }))
  const isSame = (word: string, other: string) => word === other || (matching === 'fuzzy' && isSimilar(word, other))
  const startingWith = memoized((word) =>
    wanted.filter(({ words: [first] }) => first !== undefined && isSame(word, first)),
  )

  return async (words) => {
    const spoken = await collectInTurns(spokenForms(words, formsOf))
    const isSaidAt = (at: number, said: readonly string[]) =>
      at + said.length <= spoken.length && said.every((each, index) => isSame(spoken[at + index]?.word ?? '', each))
    const matches: WordMatch[] = []
    /** Where each query can begin again. */
    const free = new Map<Wanted, number>()
    await mapInTurns(spoken, ({ word, index: first }, at) => {
      if (matches.length > maxResultSegments) return
      for (const candidate of startingWith(word)) {
        if (at < (free.get(candidate) ?? 0) || !isSaidAt(at, candidate.words)) continue
        const part = spoken.slice(at, at + candidate.words.length)
        const confidence = Math.min(...part.map((each) => each.confidence))
        matches.push({ query: candidate.query, first, end: (part.at(-1)?.index ?? first) + 1, confidence })
        free.set(candidate, at + part.length)
      }
    })
    return matches.toSorted((a, b) => a.first - b.first || a.end - b.end)
  }
}

function* spokenForms(words: Parameters<FindMatches>[0], formsOf: (text: string) => readonly string[]) {
  for (const [index, { text, confidence }] of words.entries())
    for (const word of formsOf(text)) yield { word, confidence, index }
}

/** The words of a text as `matching` compares them. Texts repeat their words, so each different text is read once. */
export function createWordForms(matching: WordMatching): (text: string) => readonly string[] {
  return memoized((text) => wordsOf(text).map((word) => (matching === 'stem' ? stemmer(word) : word)))
}

/** What is written without a space is cut to 100 characters: a longer word is said by nobody, and would take long to compare. */
const written = /(\S{1,100})\S*/g

/** As transcripts write a long sound: `sooo`, `hmmmm`. No word is spelled so; `III` and `www` are. */
const drawnOut = /([aehmnorsuyz])\1{2,}/g

/** Such as AAA, which is not AA. `Mmmm` is a sound. */
const oneLetter = /^([a-ln-z])\1*$/

/** The words of a text without case, accents, punctuation and drawn-out letters. `it's` is one word, `well-known` two. */
export function wordsOf(text: string): string[] {
  const plain = normalForm(text.replaceAll(written, '$1'), 'NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (
    plain
      .replaceAll(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu)
      ?.map((word) => (oneLetter.test(word) ? word : word.replaceAll(drawnOut, '$1$1'))) ?? []
  )
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

/** What a search did not find, and what to change. */
export function describeNoMatch(queries: readonly string[]): string {
  const searched = quotedList(queries, { maxListed: 5, maxLength: 60 })
  return `Nothing that is said matches ${searched}. Send other queries, or "match": "stem" or "fuzzy".`
}

/** Warns of the queries without a match, if others have one. */
export function warnOfNoMatch(queries: readonly string[], matches: readonly { readonly query: string }[]): string[] {
  const found = new Set(matches.map(({ query }) => query))
  const missing = queries.filter((query) => !found.has(query))
  return found.size > 0 && missing.length > 0 ? [describeNoMatch(missing)] : []
}
