/** A word of a text and the spoken word that says it, both as positions. */
export interface WordPair {
  readonly text: number
  readonly spoken: number
}

/** Bits of a number that can be added without leaving 32 bits. */
const bitsPerBlock = 30
const allOnes = 2 ** bitsPerBlock - 1

/**
 * Pairs as many words of the text with equal spoken words as possible, both in order (a longest common subsequence). Of equally
 * good pairs the later ones are chosen, because people repeat what they said wrong. The time is the product of both lengths
 * divided by `bitsPerBlock`, whatever the words are. Hirschberg's division of the problem, with the bit vectors of Hyyrö (2004).
 */
export function alignWords(text: readonly string[], spoken: readonly string[]): WordPair[] {
  const ids = new Map<string, number>()
  for (const word of text) if (!ids.has(word)) ids.set(word, ids.size)
  const known = spoken.flatMap((word, position) => {
    const id = ids.get(word)
    return id === undefined ? [] : [{ id, position }]
  })
  const texts = Int32Array.from(text, (word) => ids.get(word) ?? 0)
  const heard = Int32Array.from(known, ({ id }) => id)
  const pairs: WordPair[] = []
  pairUp({ texts, heard, first: { text: 0, heard: 0 } }, (at, said) =>
    pairs.push({ text: at, spoken: known[said]?.position ?? 0 }),
  )
  return pairs
}

interface Problem {
  readonly texts: Int32Array
  readonly heard: Int32Array
  /** The positions of the first ones. */
  readonly first: { readonly text: number; readonly heard: number }
}

type Pair = (text: number, heard: number) => void

/** Halves what was heard, and divides the text where both halves together have the most pairs. */
function pairUp({ texts, heard, first }: Problem, pair: Pair): void {
  if (texts.length === 0 || heard.length === 0) return
  if (heard.length === 1) {
    const at = texts.lastIndexOf(heard[0] ?? -1)
    if (at >= 0) pair(first.text + at, first.heard)
    return
  }
  const middle = heard.length >> 1
  const before = pairCounts(texts, heard.subarray(0, middle))
  const after = pairCounts(texts.toReversed(), heard.slice(middle).reverse())
  let cut = 0
  const pairsAt = (at: number) => (before[at] ?? 0) + (after[texts.length - at] ?? 0)
  for (let at = 1; at <= texts.length; at += 1) if (pairsAt(at) > pairsAt(cut)) cut = at
  pairUp({ texts: texts.subarray(0, cut), heard: heard.subarray(0, middle), first }, pair)
  const rest = { text: first.text + cut, heard: first.heard + middle }
  pairUp({ texts: texts.subarray(cut), heard: heard.subarray(middle), first: rest }, pair)
}

/** For each number of first words of the text, the most pairs that they can have with what was heard. */
function pairCounts(texts: Int32Array, heard: Int32Array): Int32Array {
  const blocks = Math.ceil(texts.length / bitsPerBlock)
  const masks = new Map<number, Int32Array>()
  for (const [at, id] of texts.entries()) {
    const mask = masks.get(id) ?? new Int32Array(blocks)
    masks.set(id, mask)
    const block = Math.floor(at / bitsPerBlock)
    mask[block] = (mask[block] ?? 0) | (1 << (at % bitsPerBlock))
  }
  // A zero is a word with which the number of pairs grows.
  const vector = new Int32Array(blocks).fill(allOnes)
  for (const id of heard) {
    const mask = masks.get(id)
    if (mask) addWord(vector, mask)
  }
  const counts = new Int32Array(texts.length + 1)
  for (let at = 0; at < texts.length; at += 1) {
    const isPaired = (((vector[Math.floor(at / bitsPerBlock)] ?? 0) >> (at % bitsPerBlock)) & 1) === 0
    counts[at + 1] = (counts[at] ?? 0) + (isPaired ? 1 : 0)
  }
  return counts
}

function addWord(vector: Int32Array, mask: Int32Array): void {
  let carry = 0
  for (let block = 0; block < vector.length; block += 1) {
    const ones = vector[block] ?? 0
    const paired = ones & (mask[block] ?? 0)
    const sum = (ones + paired + carry) | 0
    carry = sum >>> bitsPerBlock
    vector[block] = (sum & allOnes) | (ones ^ paired)
  }
}
