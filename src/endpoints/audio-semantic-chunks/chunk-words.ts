import { stemmer } from 'stemmer'
import { lowerBound } from '../../core/many-numbers.ts'
import { collectInTurns, startTurns } from '../../core/turns.ts'
import { isStopWord } from './english-words.ts'
import { createPhraseFinder, type SaidWord, type TitlePhrase } from './title-phrases.ts'

/** The words of a sentence of a chunk. */
export type ChunkSentence = readonly SaidWord[]

const maxKeywords = 8
/** Of the phrases of a chunk, to find one that no other chunk has. */
const maxTried = 8

interface ChunkWords {
  /** In lower case, the most telling first. */
  readonly keywords: readonly string[]
  /** Its most telling phrase, in sentence case. Empty if it has none. */
  readonly title: string
}

/** Describes each chunk by the words that are frequent in it, and rare in others. A chunk is a list of sentences. */
export async function describeChunks(chunks: readonly Iterable<ChunkSentence>[]): Promise<ChunkWords[]> {
  const turns = startTurns()
  const findPhrases = createPhraseFinder()
  const read: ReadChunk[] = []
  const chunksWith = new Map<string, number>()
  for (const chunk of chunks) {
    const sentences = await collectInTurns(chunk)
    const counts = await countStems(sentences)
    read.push({ counts, phrases: await countPhrases(sentences, findPhrases) })
    for (const stem of counts.keys()) {
      chunksWith.set(stem, (chunksWith.get(stem) ?? 0) + 1)
      if (turns.isDue()) await turns.next()
    }
  }
  const rarity = (stem: string) => Math.log(1 + chunks.length / (chunksWith.get(stem) ?? 1))
  const keywords: string[][] = []
  const phrases: Weighed<CountedPhrase>[][] = []
  for (const chunk of read) {
    const most = await heaviest(chunk.counts, maxKeywords, ([stem, { count }]) => count * rarity(stem))
    keywords.push(most.map(({ item: [, { word }] }) => word))
    phrases.push(await heaviest(chunk.phrases, maxTried, (phrase) => weightOf(phrase, chunk.counts, rarity)))
  }
  const titles = distinctTitles(phrases)
  return keywords.map((words, index) => ({ keywords: words, title: titles[index] ?? '' }))
}

interface ReadChunk {
  readonly counts: ReadonlyMap<string, StemCount>
  readonly phrases: readonly CountedPhrase[]
}

interface StemCount {
  /** As it is first said. */
  readonly word: string
  readonly count: number
}

/** How often each word is said, in any of its endings. */
async function countStems(sentences: readonly ChunkSentence[]): Promise<Map<string, StemCount>> {
  const turns = startTurns()
  const counts = new Map<string, StemCount>()
  for (const sentence of sentences) {
    for (const word of contentWords(sentence.map(({ text }) => text).join(' '))) {
      const stem = stemmer(word)
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
  return words.map((word) => word.replace(/[’'].*$|-+$/u, '')).filter((word) => word.length > 1 && !isStopWord(word))
}

interface Weighed<Item> {
  readonly item: Item
  readonly weight: number
}

/** The items that weigh most, of equal ones the first. A sort of all would take one long turn. */
async function heaviest<Item>(
  items: Iterable<Item>,
  max: number,
  weightOf: (item: Item) => number,
): Promise<Weighed<Item>[]> {
  const turns = startTurns()
  const most: Weighed<Item>[] = []
  for (const item of items) {
    const weight = weightOf(item)
    const place = lowerBound(most, (each) => each.weight >= weight)
    if (place < max) most.splice(place, 0, { item, weight })
    if (most.length > max) most.pop()
    if (turns.isDue()) await turns.next()
  }
  return most
}

interface CountedPhrase extends TitlePhrase {
  readonly stems: readonly string[]
  readonly count: number
}

/** The phrases that say something, each once, as it is first said. */
async function countPhrases(
  sentences: readonly ChunkSentence[],
  findPhrases: (words: ChunkSentence) => TitlePhrase[],
): Promise<CountedPhrase[]> {
  const turns = startTurns()
  const counted = new Map<string, CountedPhrase>()
  for (const sentence of sentences) {
    for (const phrase of findPhrases(sentence)) {
      const stems = contentWords(phrase.text).map((word) => stemmer(word))
      const key = [phrase.form, ...stems].join(' ')
      // What says a word twice was misheard, or repeated: "cactus colon cactus".
      if (stems.length > 0 && new Set(stems).size === stems.length)
        counted.set(key, { stems, ...phrase, ...counted.get(key), count: (counted.get(key)?.count ?? 0) + 1 })
    }
    if (turns.isDue()) await turns.next()
  }
  return [...counted.values()]
}

/** Measured by reading the titles of 27 talks. */
const formWeights: Readonly<Record<TitlePhrase['form'], number>> = {
  nouns: 1,
  action: 0.85,
  question: 1.1,
  sentence: 0.75,
}
/** For each word that the chunk says once. */
const ofSingleMention = 0.45
/** For each time that the count of a phrase doubles. */
const ofDoubledCount = 0.5
/** One word says too little. */
const ofOneWord = 0.25

/** The best phrase of each chunk that is no better one of another chunk, where it has such a phrase. */
function distinctTitles(chunks: readonly Weighed<CountedPhrase>[][]): string[] {
  const ranked = chunks.flatMap((phrases, chunk) =>
    phrases.map(({ item, weight }) => ({ chunk, phrase: item, weight })),
  )
  ranked.sort((one, other) => other.weight - one.weight)
  const titles: string[] = []
  const taken = new Set<string>()
  for (const { chunk, phrase } of ranked) {
    const key = phrase.form === 'nouns' ? phrase.stems.join(' ') : phrase.text
    if (titles[chunk] !== undefined || taken.has(key)) continue
    titles[chunk] = phrase.text
    taken.add(key)
  }
  for (const { chunk, phrase } of ranked) titles[chunk] ??= phrase.text
  return titles
}

function weightOf(
  { stems, form, count }: CountedPhrase,
  counts: ReadonlyMap<string, StemCount>,
  rarity: (stem: string) => number,
): number {
  const mentions = stems.map((stem) => counts.get(stem)?.count ?? 0)
  const sum = stems.reduce((total, stem, index) => total + Math.log(1 + (mentions[index] ?? 0)) * rarity(stem), 0)
  const isRepeated = form === 'nouns' && stems.length > 1 ? 1 + ofDoubledCount * Math.log2(count) : 1
  const single = mentions.filter((mentioned) => mentioned === 1).length / mentions.length
  const words = stems.length === 1 ? ofOneWord : 1
  return (sum / Math.sqrt(1 + stems.length)) * formWeights[form] * isRepeated * ofSingleMention ** single * words
}
