import { startTurns, type Turns } from '../../core/turns.ts'

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
 * good pairs the later ones are chosen, because people repeat what they said wrong. The time is at most the product of both lengths
 * divided by `bitsPerBlock`, whatever the words are, and the memory is that of both lengths. Other work has its turns meanwhile.
 * Hirschberg's division of the problem, with the bit vectors of Hyyrö (2004).
 */
export async function alignWords(text: readonly string[], spoken: readonly string[]): Promise<WordPair[]> {
  const ids = new Map([...new Set(text)].map((word, id) => [word, id]))
  const turns = startTurns()
  const texts = Int32Array.from(text, (word) => ids.get(word) ?? 0)
  /** What was heard of the text, and the positions of it. */
  const [known, positions]: [number[], number[]] = [[], []]
  for (const [position, word] of spoken.entries()) {
    const id = ids.get(word)
    if (id === undefined) continue
    known.push(id)
    positions.push(position)
  }
  const heard = Int32Array.from(known)
  const pairs: WordPair[] = []
  // The last is the next.
  const open: Problem[] = [{ texts, heard, first: { text: 0, heard: 0 } }]
  for (let problem = open.pop(); problem; problem = open.pop()) {
    if (problem.texts.length === 0 || problem.heard.length === 0) continue
    if (problem.heard.length > 1) {
      open.push(...(await divide(problem, turns)).toReversed())
      continue
    }
    const at = problem.texts.lastIndexOf(problem.heard[0] ?? -1)
    const said = positions[problem.first.heard]
    if (at >= 0 && said !== undefined) pairs.push({ text: problem.first.text + at, spoken: said })
  }
  return pairs
}

interface Problem {
  readonly texts: Int32Array
  readonly heard: Int32Array
  /** The positions of the first ones. */
  readonly first: { readonly text: number; readonly heard: number }
}

/** Halves what was heard, and divides the text where both halves together have the most pairs. */
async function divide({ texts, heard, first }: Problem, turns: Turns): Promise<[Problem, Problem]> {
  const middle = heard.length >> 1
  const before = await pairCounts(texts, heard.subarray(0, middle), turns)
  const after = await pairCounts(texts.toReversed(), heard.slice(middle).reverse(), turns)
  let cut = 0
  const pairsAt = (at: number) => (before[at] ?? 0) + (after[texts.length - at] ?? 0)
  for (let at = 1; at <= texts.length; at += 1) if (pairsAt(at) > pairsAt(cut)) cut = at
  const rest = { text: first.text + cut, heard: first.heard + middle }
  return [
    { texts: texts.subarray(0, cut), heard: heard.subarray(0, middle), first },
    { texts: texts.subarray(cut), heard: heard.subarray(middle), first: rest },
  ]
}

/** For each number of first words of the text, the most pairs that they can have with what was heard. */
async function pairCounts(texts: Int32Array, heard: Int32Array, turns: Turns): Promise<Int32Array> {
  const masks = masksOf(texts, new Set(heard))
  // A zero is a word with which the number of pairs grows.
  const vector = new Int32Array(Math.ceil(texts.length / bitsPerBlock)).fill(allOnes)
  for (const id of heard) {
    addWord(vector, masks.get(id) ?? [])
    if (turns.isDue()) await turns.next()
  }
  const counts = new Int32Array(texts.length + 1)
  for (let at = 0; at < texts.length; at += 1) {
    const isPaired = (((vector[Math.floor(at / bitsPerBlock)] ?? 0) >> (at % bitsPerBlock)) & 1) === 0
    counts[at + 1] = (counts[at] ?? 0) + (isPaired ? 1 : 0)
  }
  return counts
}

/** Where a word is in the text: the numbers of the blocks that have it, ascending, each followed by its bits there. */
type Mask = number[]

/** The masks of the words that were heard. Together they are at most twice as long as the text, however many words differ. */
export function masksOf(texts: Int32Array, heard: ReadonlySet<number>): ReadonlyMap<number, Mask> {
  const masks = new Map<number, Mask>()
  for (let at = 0; at < texts.length; at += 1) {
    const id = texts[at] ?? 0
    if (!heard.has(id)) continue
    const mask = masks.get(id) ?? []
    if (mask.length === 0) masks.set(id, mask)
    const [block, bit] = [Math.floor(at / bitsPerBlock), 1 << (at % bitsPerBlock)]
    if (mask.at(-2) === block) mask.push((mask.pop() ?? 0) | bit)
    else mask.push(block, bit)
  }
  return masks
}

/** Skips the blocks without the word that no carry reaches, because they stay as they are. */
function addWord(vector: Int32Array, mask: Mask): void {
  let [block, carry] = [0, 0]
  for (let at = 0; at < mask.length; at += 2) {
    const next = mask[at] ?? 0
    for (; carry > 0 && block < next; block += 1) carry = addBits(vector, block, carry)
    carry = addBits(vector, next, carry, mask[at + 1])
    block = next + 1
  }
  for (; carry > 0 && block < vector.length; block += 1) carry = addBits(vector, block, carry)
}

/** Returns what is carried to the next block. */
function addBits(vector: Int32Array, block: number, carry: number, bits = 0): number {
  const ones = vector[block] ?? 0
  const paired = ones & bits
  const sum = (ones + paired + carry) | 0
  vector[block] = (sum & allOnes) | (ones ^ paired)
  return sum >>> bitsPerBlock
}
