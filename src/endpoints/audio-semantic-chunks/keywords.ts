import { stemmer } from 'stemmer'
import { lowerBound } from '../../core/binary-search.ts'
import { collectInTurns, startTurns } from '../../core/turns.ts'
import { stopWords } from './stop-words.ts'

const maxKeywords = 8
const maxTitleLength = 70

export interface ChunkWords {
  /** In lower case, the most telling first. */
  readonly keywords: readonly string[]
  /** The most telling of its sentences. */
  readonly title: string
}

/** Describes each chunk by the words that are frequent in it, and rare in others. A chunk is a list of sentences. */
export async function describeChunks(chunks: readonly Iterable<string>[]): Promise<ChunkWords[]> {
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

/** A complete sentence is a better title than the beginning of one that weighs less than twice as much. */
const cutPenalty = 0.5

/** The sentence whose words weigh most, without that long sentences win by their length. */
async function titleOf(sentences: readonly StemmedSentence[], weights: ReadonlyMap<string, number>): Promise<string> {
  const turns = startTurns()
  let [title = '', best] = [sentences[0]?.text, 0]
  for (const { text, words } of sentences) {
    const stems = new Set(words.map(({ stem }) => stem))
    const sum = [...stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0)
    const weight = (sum / Math.sqrt(text.length)) * (text.length > maxTitleLength ? cutPenalty : 1)
    if (weight > best) [title, best] = [text, weight]
    if (turns.isDue()) await turns.next()
  }
  return withoutEnd(title.length > maxTitleLength ? beginningOf(title) : title)
}

/** The longest beginning that fits: up to a clause, if that is at least half of the length, or else up to a word. */
function beginningOf(sentence: string): string {
  const fitting = sentence.slice(0, maxTitleLength + 1)
  const clause = Math.max(...[...fitting.matchAll(/[,;:—–](?=\s)/gu)].map(({ index }) => index), 0)
  if (clause >= maxTitleLength / 2) return fitting.slice(0, clause)
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

interface StemmedSentence {
  readonly text: string
  /** Those that can say something about a topic. */
  readonly words: readonly StemmedWord[]
}

function* stemmedSentences(sentences: Iterable<string>): Generator<StemmedSentence> {
  for (const text of sentences) yield { text, words: contentWords(text).map((word) => ({ word, stem: stemmer(word) })) }
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
