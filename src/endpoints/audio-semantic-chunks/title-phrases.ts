import model from 'wink-eng-lite-web-model'
import winkNlp, { type Model } from 'wink-nlp'
import { upperFirst } from '../../core/text.ts'
import { isWeakWord } from './english-words.ts'

export interface SaidWord {
  readonly text: string
  /** People read titles aloud: they have no uncertain words. */
  readonly isCertain: boolean
}

type Form = 'nouns' | 'action' | 'question' | 'sentence'

/** What can be a title, as people read it. */
export interface TitlePhrase {
  readonly text: string
  readonly form: Form
}

const maxTitleLength = 60
/** A sentence of fewer or more words is no title. */
const [fewestWords, mostWords] = [4, 12]

/**
 * Nouns with what describes them, such as "regional internet registry" and "separation of red wires". A letter is a token, as `letterOf`
 * has it.
 */
const nouns = '(?:[ANG]|[MANan]H){0,4}N'
const owned = `${nouns}(?:K${nouns})?`
const nounPhrase = `${owned}(?:[OI]D?${nouns})?`
/** What is before or after belongs to the phrase. */
const [begin, end] = ['(?<![ANMHK])', '(?![NnHKMGO])']
/** In "they put the code in the chip", only "of" would belong to the code. */
const nounsAlone = `(?:(?<!v[Dd]?)${nounPhrase}|${owned}(?:OD?${nouns})?)`

const patterns: Readonly<Record<Exclude<Form, 'question'>, RegExp>> = {
  nouns: new RegExp(`${begin}${nounsAlone}${end}`, 'g'),
  /** Such as "building a web scraper". */
  action: new RegExp(`(?<![ANMHx])GD?${nounPhrase}${end}`, 'g'),
  /** The subject is no pronoun, and nothing hangs on another sentence. */
  sentence: new RegExp(`^D?${nounPhrase}b?[xv][^rs]*[ANM](?=[.])`, 'g'),
}
const questionBegin = /^(?:how|what|when|where|which|who|why)$/i

/** The patterns of own entities, which nothing here has, become twice as long each time that the model loads them. */
const taggingModel: Model = { ...model, metaCER: () => ({ machines: '', transformers: [] }) }

/**
 * Returns a function that lists the phrases of a sentence that can be its title. The tagger remembers each word that it does not know, so
 * that it must not outlive a job.
 */
export function createPhraseFinder(): (words: readonly SaidWord[]) => TitlePhrase[] {
  const nlp = winkNlp(taggingModel, ['pos'])
  return (words) => {
    const text = words.map((word) => word.text).join(' ')
    // At the beginning of a sentence, a capital letter makes no name.
    const said = nlp.readDoc(/^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text).tokens()
    const [tags, spaces] = [said.out(nlp.its.pos), said.out(nlp.its.precedingSpaces)]
    const tokens: Token[] = []
    let next = 0
    for (const [index, token] of said.out().entries()) {
      const start = next + (spaces[index] ?? '').length
      next = start + token.length
      tokens.push({ text: token, tag: tags[index] ?? '', start, end: next })
    }
    return [...phrasesOf(text, tokens, uncertainSpans(words))]
  }
}

interface Span {
  /** In characters of the sentence. */
  readonly start: number
  readonly end: number
}

interface Token extends Span {
  readonly text: string
  /** https://universaldependencies.org/u/pos/ */
  readonly tag: string
}

function uncertainSpans(words: readonly SaidWord[]): Span[] {
  let next = 0
  const spans = words.map(({ text, isCertain }) => {
    const start = next
    next += text.length + 1
    return { start, end: next - 1, isCertain }
  })
  return spans.filter(({ isCertain }) => !isCertain)
}

function* phrasesOf(text: string, tokens: readonly Token[], uncertain: readonly Span[]): Generator<TitlePhrase> {
  const letters = tokens.map((token, index) => letterOf(token, tokens[index - 1], tokens[index + 1])).join('')
  const phraseOf = (form: Form, first: number, after: number): TitlePhrase[] => {
    const [start, end] = [tokens[first]?.start ?? 0, tokens[after - 1]?.end ?? 0]
    const isCertain = uncertain.every((span) => span.end <= start || span.start >= end)
    const fits = end - start <= maxTitleLength && isCertain
    return fits ? [{ text: titleCase(text.slice(start, end)), form }] : []
  }
  const isOfLength = tokens.length > fewestWords && tokens.length <= mostWords
  if (isOfLength && questionBegin.test(tokens[0]?.text ?? '') && /^[^rs]*\?$/.test(letters.slice(1)))
    yield* phraseOf('question', 0, tokens.length)
  for (const form of ['nouns', 'action', 'sentence'] as const)
    for (const { index, 0: found } of letters.matchAll(patterns[form]))
      if (form !== 'sentence' || (isOfLength && index + found.length === tokens.length - 1))
        yield* phraseOf(form, index, index + found.length)
}

/** With a capital letter, unless a name such as "iPhone" begins it. */
function titleCase(text: string): string {
  return /^\S*\p{Lu}/u.test(text) ? text : upperFirst(text)
}

/** Prepositions that join two nouns into one, beside "of". Others mostly belong to a verb. */
const joining = /^(?:against|behind|between|for|in|on|with|without)$/
/** They look like verbs. */
const prepositions = /^(?:according|concerning|considering|depending|during|excluding|following|including|regarding)$/
const pronouns = /^(?:he|her|hers|him|his|i|it|its|me|mine|my|she|that|their|them|there|these|they|this|those|us|we)$/

/**
 * For the patterns. N, A: a noun, what describes it. n, a: the same, but weak. G: a verb that ends in "ing". D: an article. I: a
 * preposition that joins, O: "of". K: "'s". H: a hyphen. M: a number. v, x: a verb, an auxiliary. r: a pronoun. s: what joins sentences.
 */
function letterOf(token: Token, before: Token | undefined, after: Token | undefined): string {
  const { text, tag } = token
  const word = text.toLowerCase()
  if (tag === 'PART' && /^[\u2019']s?$/.test(text)) return 'K'
  if (tag === 'NUM' || /^\p{N}/u.test(text)) return 'M'
  if (!/^\p{L}[\p{L}\p{N}\u2019'+#&]*(?:\.\p{L}+)*$/u.test(text)) return marks[text] ?? ','
  if (pronouns.test(word)) return 'r'
  return letterOfTag[tag]?.(word, before, after) ?? 'o'
}

const marks: Readonly<Record<string, string>> = { '-': 'H', '?': '?', '!': '.', '.': '.' }

type LetterOf = (word: string, before: Token | undefined, after: Token | undefined) => string

const letterOfNoun: LetterOf = (word) => (isWeakWord(word) ? 'n' : 'N')

const letterOfTag: Readonly<Record<string, LetterOf>> = {
  NOUN: letterOfNoun,
  PROPN: letterOfNoun,
  ADJ: (word) => (isWeakWord(word) ? 'a' : 'A'),
  DET: (word) => (/^(?:an?|the)$/.test(word) ? 'D' : 'd'),
  ADP: (word) => (word === 'of' && 'O') || (joining.test(word) ? 'I' : 'o'),
  AUX: () => 'x',
  ADV: () => 'b',
  SCONJ: () => 's',
  VERB: (word, before, after) => {
    if (prepositions.test(word)) return 'o'
    if (isWeakWord(word)) return 'v'
    if (word.endsWith('ing')) return 'G'
    // Such as "the accumulated layers".
    const describes = /^(?:DET|ADP|ADJ)$/.test(before?.tag ?? '') && /^(?:NOUN|PROPN)$/.test(after?.tag ?? '')
    return describes && word.endsWith('ed') ? 'A' : 'v'
  },
}
