import { stemmer } from 'stemmer'
import { lowerBound } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { collectInTurns, mapInTurns, nextTurn, startTurns } from '../../core/turns.ts'

export interface ChunkLengths {
  /** Longer chunks are also cut where the topic does not change, at their deepest dip. */
  readonly targetSeconds: number | undefined
  /** No cut makes a shorter chunk. */
  readonly minSeconds: number
  /** No change of topic makes a shorter chunk. */
  readonly topicSeconds?: number
  /** Adds cuts at the clearest changes until there are this many chunks. */
  readonly minChunks?: number | undefined
  readonly maxChunks?: number | undefined
}

/** YouTube shows chapters if there are three. */
const fewestUsualChunks = 3

/**
 * What people read as chapters: more of them the longer the speech is, but not in proportion. 5 for 5 minutes, 11 for 20, 20 for an hour.
 * Measured on 27 talks of 4 to 59 minutes, whose topics change up to 38 times in 20 minutes, often twice within seconds.
 */
export function usualLengths(seconds: number): { readonly maxChunks: number; readonly topicSeconds: number } {
  const maxChunks = Math.max(fewestUsualChunks, Math.floor(2.6 * Math.sqrt(seconds / 60)))
  return { maxChunks, topicSeconds: seconds / maxChunks / 2 }
}

/** Measured on joined texts (`npm run lab -- finders topics`): changes of topic have more than 0.5, other dips less than 0.25. */
const topicDepth = 0.4

/**
 * How deep the similarity dips at each gap: how much it falls from the nearest peak on each side, together. Hearst, TextTiling (1997),
 * https://aclanthology.org/J97-1003
 */
export function dipDepths(similarities: readonly number[]): number[] {
  const before = peaksBefore(similarities)
  const after = peaksBefore(similarities.toReversed()).reverse()
  return similarities.map((similarity, gap) => (before[gap] ?? 0) - similarity + ((after[gap] ?? 0) - similarity))
}

/** At each gap, the similarity at the nearest peak before it. */
function peaksBefore(similarities: readonly number[]): number[] {
  const peaks: number[] = []
  for (const [gap, similarity] of similarities.entries()) {
    const isRising = (similarities[gap - 1] ?? Number.NEGATIVE_INFINITY) > similarity
    peaks.push(isRising ? (peaks.at(-1) ?? similarity) : similarity)
  }
  return peaks
}

/** The chunks as the indexes of their first sentences: cut at changes of topic, deepest first, and then where chunks are too long. */
export async function cutIntoChunks(
  sentences: readonly Segment[],
  similarities: readonly number[],
  { targetSeconds = Infinity, minSeconds, topicSeconds = 0, minChunks = 0, maxChunks = Infinity }: ChunkLengths,
): Promise<number[]> {
  if (sentences.length === 0) return []
  const starts = [0]
  const secondsOf = (first: number, end: number) => (sentences[end - 1]?.end ?? 0) - (sentences[first]?.start ?? 0)
  const cutBefore = (sentence: number, longerThan: number, leastSeconds = minSeconds) => {
    const position = lowerBound(starts, (start) => start < sentence)
    const [first, end] = [starts[position - 1] ?? 0, starts[position] ?? sentences.length]
    const isCut = end === sentence || starts[position] === sentence
    const shorter = Math.min(secondsOf(first, sentence), secondsOf(sentence, end))
    const isWanted = secondsOf(first, end) > longerThan && starts.length < maxChunks
    if (!isCut && shorter >= leastSeconds && isWanted) starts.splice(position, 0, sentence)
  }
  const depths = dipDepths(similarities)
  await nextTurn()
  const deepestFirst = depths.map((depth, gap) => ({ depth, sentence: gap + 1 })).sort((a, b) => b.depth - a.depth)
  const leastSeconds = Math.max(minSeconds, topicSeconds)
  await mapInTurns(deepestFirst, ({ depth, sentence }) => depth >= topicDepth && cutBefore(sentence, 0, leastSeconds))
  await mapInTurns(deepestFirst, ({ sentence }) => cutBefore(sentence, targetSeconds))
  await mapInTurns(deepestFirst, ({ sentence }) => starts.length < minChunks && cutBefore(sentence, 0))
  return starts
}

/** A sentence of a chunk. */
export interface ChunkSentence {
  readonly text: string
  /** The parts of it of which a title can be made: those without uncertain words, all of it if it has none. */
  readonly phrases: readonly string[]
}

const maxKeywords = 8
const maxTitleLength = 70

interface ChunkWords {
  /** In lower case, the most telling first. */
  readonly keywords: readonly string[]
  /** Its most telling phrase, in sentence case. Empty if it has none. */
  readonly title: string
}

/** Describes each chunk by the words that are frequent in it, and rare in others. A chunk is a list of sentences. */
export async function describeChunks(chunks: readonly Iterable<ChunkSentence>[]): Promise<ChunkWords[]> {
  const turns = startTurns()
  const stemmed: StemmedChunk[] = []
  const chunksWith = new Map<string, number>()
  for (const chunk of chunks) {
    const sentences = await collectInTurns(stemmedSentences(chunk))
    const counts = await countStems(sentences)
    stemmed.push({ sentences, counts })
    for (const stem of counts.keys()) {
      chunksWith.set(stem, (chunksWith.get(stem) ?? 0) + 1)
      if (turns.isDue()) await turns.next()
    }
  }
  const described: ChunkWords[] = []
  for (const { sentences, counts } of stemmed) {
    const weights = new Map<string, number>()
    for (const [stem, { count }] of counts) {
      weights.set(stem, count * Math.log(1 + chunks.length / (chunksWith.get(stem) ?? 1)))
      if (turns.isDue()) await turns.next()
    }
    const keywords = (await heaviest(weights)).map((stem) => counts.get(stem)?.word ?? stem)
    described.push({ keywords, title: await titleOf(sentences, weights) })
  }
  return described
}

/** The stems that weigh most, of equal ones the first said. A sort of all would take one long turn. */
async function heaviest(weights: ReadonlyMap<string, number>): Promise<string[]> {
  const turns = startTurns()
  const most: { readonly stem: string; readonly weight: number }[] = []
  for (const [stem, weight] of weights) {
    const place = lowerBound(most, (each) => each.weight >= weight)
    if (place < maxKeywords) most.splice(place, 0, { stem, weight })
    if (most.length > maxKeywords) most.pop()
    if (turns.isDue()) await turns.next()
  }
  return most.map(({ stem }) => stem)
}

/** A complete sentence is a better title than a clause that weighs less than twice as much, and a clause than its mere beginning. */
const clausePenalty = 0.5
const beginningPenalty = 0.25
/** A part that depends on the rest of its sentence leaves a reader waiting. One or two words say too little. */
const dependentPenalty = 0.15
/** What begins or ends in the middle of a clause is a title only where nothing else tells anything. */
const brokenPenalty = 0.05
const dependent =
  /^(?:after|although|are|as|at|been|before|being|by|did|does|during|for|from|had|has|if|in|is|of|on|since|than|that|to|under|unless|until|was|were|what|when|where|which|while|who|whom|whose|with)\b/iu

/** "To open the door", "that the door is open" and "which is a door" wait for the rest even where the transcript ends them as a sentence. */
const incomplete = /^(?:to|if)\b[^,]*$|^that (?:a|an|he|i|it|she|the|there|they|we|you)\b|^which\b[^?]*$/iu
/** Of phrases that tell nothing, one that is complete is the best title. */
const leastSum = 0.01

/** The phrase whose words weigh most, without that long ones win by their length. */
async function titleOf(sentences: readonly StemmedSentence[], weights: ReadonlyMap<string, number>): Promise<string> {
  const turns = startTurns()
  let [title, best, before] = ['', -1, '']
  for (const sentence of sentences) {
    for (const { part, penalty } of partsOf(sentence, before)) {
      const candidate = withoutOpening(part)
      const stems = new Set(contentWords(candidate).map((word) => stemmer(word)))
      const sum = [...stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), leastSum)
      const isWhole = part === sentence.text && !incomplete.test(candidate)
      const weight = (sum / Math.sqrt(candidate.length || 1)) * penalty * dependencePenalty(candidate, isWhole)
      if (weight > best) [title, best] = [candidate, weight]
      if (turns.isDue()) await turns.next()
    }
    before = sentence.text
  }
  return withoutEnd(title)
}

function dependencePenalty(candidate: string, isWhole: boolean): number {
  if (candidate.split(' ').length < fewestClauseWords - 1) return dependentPenalty
  return !isWhole && dependent.test(candidate) ? dependentPenalty : 1
}

/** A clause of fewer words says too little. */
const fewestClauseWords = 4

interface Part {
  readonly part: string
  readonly penalty: number
}

/** What can be the title of a sentence that follows the text `before`: its phrases that fit, and parts of those that are long or broken. */
function* partsOf({ text, phrases }: ChunkSentence, before: string): Generator<Part> {
  let at = 0
  for (const phrase of phrases) {
    at = Math.max(text.indexOf(phrase, at), at)
    const isBegun = endsClause(text.slice(0, at).trimEnd() || before)
    at += phrase.length
    if (isBegun && endsClause(phrase) && phrase.length <= maxTitleLength)
      yield { part: phrase, penalty: phrase === text ? 1 : clausePenalty }
    else yield* clausesOf(phrase, isBegun)
  }
}

/** What fits of a phrase that is long or broken: as much of it as possible, and its clauses or their beginnings. */
function* clausesOf(phrase: string, isBegun: boolean): Generator<Part> {
  const penaltyOf = (part: string, isFirst: boolean) =>
    clausePenalty * ((isBegun || !isFirst) && endsClause(part) ? 1 : brokenPenalty)
  const fitting = phrase.length <= maxTitleLength ? phrase : beginningOf(phrase)
  yield { part: fitting, penalty: penaltyOf(fitting, true) }
  for (const [index, clause] of phrase.split(/(?<=[,;:—–])\s+/u).entries()) {
    const isFirst = index === 0
    if (clause.length <= maxTitleLength && clause.split(' ').length >= fewestClauseWords)
      yield { part: clause, penalty: penaltyOf(clause, isFirst) }
    const beginning = completeBeginningOf(clause)
    if (beginning && (isBegun || !isFirst)) yield { part: beginning, penalty: beginningPenalty }
  }
}

/** Words after which a clause goes on, even where a speaker hesitates. */
const dangling =
  /\b(?:a|am|an|and|are|at|be|because|been|but|by|can|could|for|from|had|has|have|his|if|in|into|is|its|may|might|my|of|on|or|our|shall|should|than|that|the|their|these|this|those|to|was|were|will|with|would|your|(?:and|but|so) then)[,;:—–]?$/iu
/** Where a speaker breaks off, the transcript ends a sentence after these, too. */
const brokenOff = /\b(?:a|an|and|because|but|if|my|or|our|than|the|their|to|your)[.…]+$/iu

/** At the end of a sentence, or of a clause. Nothing ends, too. */
function endsClause(text: string): boolean {
  return /(?:^|[.?!…]["'”’)\]]*|[,;:—–])$/u.test(text) && !dangling.test(text) && !brokenOff.test(text)
}

/** They open another clause, or a phrase without which the words before are complete. */
const openers = new Set(
  'after against although and because before but by during if or since so though unless until when where whereas which while who whose without'.split(
    ' ',
  ),
)

/** Returns the longest complete beginning of a clause that fits in a title, or an empty text. */
function completeBeginningOf(clause: string): string {
  const words = clause.split(' ')
  let [count, length] = [0, 0]
  for (const [index, word] of words.entries()) {
    const isComplete = openers.has(word.toLowerCase()) && !dangling.test(words[index - 1] ?? '')
    if (isComplete && index >= fewestClauseWords) count = index
    length += word.length + 1
    if (length - 1 > maxTitleLength) break
  }
  return words.slice(0, count).join(' ')
}

/** Words with which talk goes on from sentence to sentence. Of some, only before a comma or a subject. */
const opening =
  /^(?:(?:and|but|or|because(?!\s+of\b)|um|uh|er|oh|ah|okay|yeah|yes)\b(?!-)[,\s]*|(?!(?:so|now)\s+that\b)(?:so|now|well|right|like|then|actually|basically|also|in fact|of course|you know|i mean)(?:,\s*|\s+(?=(?:i|we|you|he|she|it|they|the|this|that|these|those|there|our|my|if|when|what|let)\b))|so\s+(?=(?:a|after|an|another|as(?!\s+to)|at|before|each|every|first|for|from|here|how|in|maybe|most|moving|no|now|one|some|to(?!\s+speak)|welcome|where|who|why|with|yes)\b))+/iu

/** In sentence case. */
function withoutOpening(phrase: string): string {
  const rest = phrase.replace(/^[\s.,;:!?–—-]+/u, '').replace(opening, '') || phrase
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** The longest beginning that fits: up to a clause, if that is at least half of the length, or else up to a word. */
function beginningOf(sentence: string): string {
  const fitting = sentence.slice(0, maxTitleLength + 1)
  const clause = Math.max(...[...fitting.matchAll(/[,;:—–](?=\s)/gu)].map(({ index }) => index), 0)
  if (clause >= maxTitleLength / 2) return fitting.slice(0, clause + 1)
  const words = fitting.slice(0, Math.max(fitting.lastIndexOf(' '), 0)).split(' ')
  // "And then we went to the" ends better without its last two words.
  while (words.length > 1 && isStopWord(words.at(-1) ?? '')) words.pop()
  return words.join(' ') || sentence.slice(0, maxTitleLength)
}

function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase())
}

function withoutEnd(text: string): string {
  return text.replace(/[\s.,;:!—–]+$/u, '')
}

interface StemmedWord {
  readonly word: string
  readonly stem: string
}

interface StemmedChunk {
  readonly sentences: readonly StemmedSentence[]
  readonly counts: ReadonlyMap<string, StemCount>
}

interface StemmedSentence extends ChunkSentence {
  /** Those that can say something about a topic. */
  readonly words: readonly StemmedWord[]
}

function* stemmedSentences(sentences: Iterable<ChunkSentence>): Generator<StemmedSentence> {
  for (const sentence of sentences)
    yield { ...sentence, words: contentWords(sentence.text).map((word) => ({ word, stem: stemmer(word) })) }
}

interface StemCount {
  /** As it is first said. */
  readonly word: string
  readonly count: number
}

/** How often each word is said, in any of its endings. */
async function countStems(sentences: readonly StemmedSentence[]): Promise<Map<string, StemCount>> {
  const turns = startTurns()
  const counts = new Map<string, StemCount>()
  for (const { words } of sentences) {
    for (const { word, stem } of words) {
      const known = counts.get(stem)
      counts.set(stem, { word: known?.word ?? word, count: (known?.count ?? 0) + 1 })
    }
    if (turns.isDue()) await turns.next()
  }
  return counts
}

/** The words of a text that can say something about a topic, in lower case. */
function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? []
  return words.map((word) => word.replace(/[’'].*$|-+$/u, '')).filter((word) => word.length > 2 && !stopWords.has(word))
}

const words = `
a about above across actually after again against ago ah all almost along already also although always am among an and another any anyone
anything are around as ask at away back basically be became because become been before began behind being below between both bring but by
call came can cannot come could day days did different do does doing done don down during each either else enough even ever every everyone
everything exactly far few find first for from further gave get gets getting give given go goes going gone gonna good got great guess had
has have having he hear help her here hers herself hey hi him himself his how however i if in indeed into is it its itself just keep kind
knew know known large last later least less let lets like little long look looking lot made make makes making many may maybe me mean means
might mine more most much must my myself near need never new next no none nor not nothing now of off often oh ok okay old on once one ones
only onto or other others our ours ourselves out over own part people perhaps place please point put quite rather really right said same
saw say saying says see seem seen several she should show side since small so some someone something sometimes soon sort still stuff such
sure take taken tell than thank thanks that the their theirs them themselves then there therefore these they thing things think this those
though thought three through time times to today together told too took toward try two uh um under until up upon us use used using usually
very wanna want wants was way ways we well went were what whatever when where whether which while who whole whom whose why will with within
without would yeah year years yes yet you your yours yourself yourselves`

/** English words that say nothing about a topic. */
const stopWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
