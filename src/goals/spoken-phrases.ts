import { mediaFormats } from '../core/media.ts'
import { textSurfaces } from './words.ts'

// The words that a goal looks for in speech or on the screen.

export interface FoundPhrases {
  /** Those in quotes, as they are written. */
  readonly quoted: readonly string[]
  /** Words without quotes that the goal looks for, as they are written: "pricing" of "where do they mention pricing". */
  readonly sought: readonly string[]
}

/** `"…"`, `“…”`, `«…»`, and `'…'` where the quotes are no apostrophes. */
const quotedPhrase = /["“”«]([^"“”«»]{1,200})["“”»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{1,200})['’](?![\p{L}\p{N}])/gu

/** What stands before words that a goal looks for. */
const introduction = [
  `(?:${textSurfaces.join('|')}) (?:shows?|showed|reads?|displays?|is at)|score(?:board)? is`,
  '(?:said|says?|saying|talk(?:s|ed|ing)?|speak(?:s|ing)?|spoken?|spoke|quotes?) about',
  '(?:search(?:es|ing)?(?: [a-z0-9]+){0,7}?|look(?:s|ing)?(?: [a-z]+){0,3}?) for(?: the (?:words?|phrases?|term))?',
  'mention(?:s|ed|ing)?(?: of)?|discuss(?:es|ed|ing)?|the (?:words?|phrases?|term)|say(?:s|ing)?|said|explain(?:s|ed|ing)?',
].join('|')
const maxWords = 5
/** Words that say where or how, or stand for others, and so end what is looked for. */
const otherWord = [
  'in|on|at|from|during|by|to|as|into|with|within|between|after|before|and|or|then|so|but|for|out|about',
  'is|are|was|were|gets?|should|it|them|that|this|these|those|something|anything|everything|what|which|who|when',
  'mentioned|said|spoken|used|heard|shown|appears?|around|near|here|there|first|last|most|each|every|all|times?|aloud|clips?|laughs?|jokes?',
].join('|')
const article = '(?:(?:the|an?|our|my|his|her|their|your|both|either)\\s+)*'
/** "What do they say 10 seconds around 1:30". */
const length = String.raw`\d+\s*(?:s|secs?|seconds?|mins?|minutes?)\b`
const phrase = String.raw`(?!${length})((?:(?!(?:${otherWord})\b)[\p{L}\p{N}](?:[\p{L}\p{N}'’.-]|(?<=\d):(?=\d))*(?:\s+|(?=[^\p{L}\p{N}'’.-]|$))){1,${maxWords}})`
const soughtWords = new RegExp(String.raw`\b(?:${introduction})\s+${article}${phrase}`, 'iu')

/** Words after "and" that begin something else to do, or another sentence. */
const clauseStart = [
  'add|burn|caption|clip|convert|crop|cut|delete|drop|export|extract|find|get|give|grab|join|keep|list|make|mark|merge',
  'please|pull|put|remove|save|send|show|split|subtitle|tell|transcribe|translate|trim|turn|also|how|why|where|whether|if',
  'i|he|she|we|you|they|someone|somebody|people|everyone|nobody|audience|crowd|host|guest|not|only|just|with|without',
].join('|')
/** ", oranges" of "apples, oranges and pears". A comma alone begins something else. */
const nextPhrase = new RegExp(
  String.raw`^\s*(?:,?\s*\b(?:and|or)\b|,(?=(?:\s+[\p{L}\p{N}'’-]+){1,${maxWords}}\s*(?:,[^,]*)?,?\s+(?:and|or)\s))\s+(?:about\s+)?(?!${article}(?:${clauseStart})\b)${article}${phrase}`,
  'iu',
)

export function findSoughtPhrases(goal: string): FoundPhrases {
  const found = [...goal.matchAll(quotedPhrase)].map(([, double, single]) => (double ?? single ?? '').trim())
  const quoted = found.filter((words) => words !== '' && !isFileName(words))
  return { quoted, sought: soughtIn(goal.replaceAll(quotedPhrase, ' ')) }
}

/** The goal with a mark in place of what stands in quotes: its words and times are no part of the goal. */
export function markQuotes(goal: string): string {
  return goal.replaceAll(quotedPhrase, (written, double?: string, single?: string) =>
    isFileName(double ?? single ?? '') ? written : ' <quoted> ',
  )
}

const fileName = new RegExp(String.raw`\.(?:${mediaFormats.join('|')})$`, 'i')

function isFileName(words: string): boolean {
  return fileName.test(words.trim())
}

function soughtIn(text: string): readonly string[] {
  const first = soughtWords.exec(text)
  if (!first) return []
  const phrases = [first[1] ?? '']
  let rest = text.slice(first.index + first[0].trimEnd().length)
  for (let next = nextPhrase.exec(rest); next; next = nextPhrase.exec(rest)) {
    phrases.push(next[1] ?? '')
    rest = rest.slice(next[0].trimEnd().length)
  }
  return phrases.map((words) => words.replace(/[\s.'’-]+$/, '')).filter((words) => words !== '')
}
