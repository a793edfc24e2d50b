import { stemmer } from 'stemmer'
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
export function describeChunks(chunks: readonly (readonly string[])[]): ChunkWords[] {
  const counted = chunks.map((sentences) => countStems(sentences.flatMap(contentWords)))
  const chunksWith = new Map<string, number>()
  for (const stem of counted.flatMap((counts) => [...counts.keys()]))
    chunksWith.set(stem, (chunksWith.get(stem) ?? 0) + 1)
  return chunks.map((sentences, index) => {
    const counts = counted[index] ?? new Map<string, StemCount>()
    const weightOf = (stem: string) =>
      (counts.get(stem)?.count ?? 0) * Math.log(1 + chunks.length / (chunksWith.get(stem) ?? 1))
    const byWeight = [...counts.keys()].toSorted((a, b) => weightOf(b) - weightOf(a))
    const keywords = byWeight.slice(0, maxKeywords).map((stem) => counts.get(stem)?.word ?? stem)
    return { keywords, title: titleOf(sentences, weightOf) }
  })
}

/** The sentence whose words weigh most, without that long sentences win by their length. */
function titleOf(sentences: readonly string[], weightOf: (stem: string) => number): string {
  let [title = '', best] = [sentences[0], 0]
  for (const sentence of sentences) {
    const stems = new Set(contentWords(sentence).map((word) => stemmer(word)))
    const weight = [...stems].reduce((sum, stem) => sum + weightOf(stem), 0) / Math.sqrt(sentence.length)
    if (weight > best) [title, best] = [sentence, weight]
  }
  return shortened(title)
}

function shortened(sentence: string): string {
  if (sentence.length <= maxTitleLength) return sentence.replace(/[\s.,;:!]+$/, '')
  const cut = sentence.slice(0, maxTitleLength)
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\s.,;:!?]+$/, '')}…`
}

interface StemCount {
  /** As it is first said. */
  readonly word: string
  readonly count: number
}

/** How often each word is said, in any of its endings. */
function countStems(words: readonly string[]): Map<string, StemCount> {
  const counts = new Map<string, StemCount>()
  for (const word of words) {
    const stem = stemmer(word)
    const known = counts.get(stem)
    counts.set(stem, { word: known?.word ?? word, count: (known?.count ?? 0) + 1 })
  }
  return counts
}

/** The words of a text that can say something about a topic, in lower case. */
function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? []
  return words.map((word) => word.replace(/[’'].*$|-+$/u, '')).filter((word) => word.length > 2 && !stopWords.has(word))
}
