// The words that a goal looks for in speech or on the screen.

export interface FoundPhrases {
  /** Those in quotes, as they are written. */
  readonly quoted: readonly string[]
  /** Words without quotes that the goal looks for, as they are written: "pricing" of "where do they mention pricing". */
  readonly sought?: string
}

/** `"…"`, `“…”`, `«…»`, and `'…'` where the quotes are no apostrophes. */
const quotedPhrase = /["“”«]([^"“”«»]{1,200})["“”»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{1,200})['’](?![\p{L}\p{N}])/gu

/** What stands before words that a goal looks for. */
const introduction = [
  '(?:said|says?|saying|talk(?:s|ed|ing)?|speak(?:s|ing)?|spoken?|spoke|quotes?) about',
  '(?:search(?:es|ing)?|look(?:s|ing)?)(?: [a-z]+){0,3}? for(?: the (?:words?|phrases?|term))?',
  'mention(?:s|ed|ing)?(?: of)?|discuss(?:es|ed|ing)?|the (?:words?|phrases?|term)|say(?:s|ing)?|said',
].join('|')
const maxWords = 5
/** Words that say where or how, or stand for others, and so end what is looked for. */
const otherWord = [
  'in|on|at|from|during|by|to|as|into|with|within|between|after|before|and|or|then|so|but|for|out|about',
  'is|are|was|were|gets?|should|it|them|that|this|these|those|something|anything|everything|what|which|who|when',
  'around|near|here|there|first|last|most|each|every|all|times?|aloud|clips?|laughs?|jokes?',
].join('|')
const soughtWords = new RegExp(
  String.raw`\b(?:${introduction})\s+(?:(?:the|an?|our|my|his|her|their|your)\s+)?` +
    String.raw`((?:(?!(?:${otherWord})\b)[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?:\s+|(?=[^\p{L}\p{N}'’.-]|$))){1,${maxWords}})`,
  'iu',
)

export function findSoughtPhrases(goal: string): FoundPhrases {
  const found = [...goal.matchAll(quotedPhrase)].map(([, double, single]) => (double ?? single ?? '').trim())
  const quoted = found.filter((phrase) => phrase !== '')
  const sought = soughtWords.exec(goal.replaceAll(quotedPhrase, ' '))?.[1]?.replace(/[\s.'’-]+$/, '')
  return { quoted, ...(sought ? { sought } : {}) }
}
