import { invalidRequest, ServiceError } from '../../core/errors.ts'
import { collectInTurns, startTurns, type Turns } from '../../core/turns.ts'
import { createWordForms } from '../match-words.ts'

interface KeptText {
  /** Positions of the spoken words that say the text. */
  readonly kept: ReadonlySet<number>
  /** Stretches of the text that nobody said, as written. */
  readonly missing: readonly string[]
}

/** 25,000 words of text and 20,000 of speech, two hours, take up to half a second. */
const maxComparisons = 500_000_000

/** The most additional words that one misheard word may have become. */
const moreWordsHeard = 2

/**
 * Finds who says the text. Case, accents, punctuation and the endings of words do not count. Where other words are heard in place of some
 * of the text, they count as these, because transcripts write numbers and names in other ways. Throws `nothing_found` if nothing of it was said.
 */
export async function findText(keepText: string, spokenTexts: readonly string[]): Promise<KeptText> {
  const formsOf = createWordForms('stem')
  const written = keepText.split(/\s+/)
  const text = await collectInTurns(partsOf(written, formsOf))
  const spoken = await collectInTurns(partsOf(spokenTexts, formsOf))
  if (text.length * spoken.length > maxComparisons)
    throw invalidRequest(
      `settings.keep_text has ${text.length} words, and the speech ${spoken.length}: one job cannot compare that many. Send a part of the text, with the job of the window where it is spoken.`,
    )
  const pairs = await pairWords(text, spoken)
  if (pairs.length === 0)
    throw new ServiceError('nothing_found', 'Nothing of settings.keep_text was said. Check the text, and its language.')
  const matched = [...pairs, ...heardOtherwise(pairs, { text: text.length, spoken: spoken.length })]
  const said = new Set(matched.map((pair) => pair.text))
  const missing = text.filter((_, at) => !said.has(at)).map(({ at }) => at)
  const kept = new Set(matched.map((pair) => spoken[pair.spoken]?.at ?? 0))
  return { kept, missing: stretchesOf(written, missing) }
}

/** A word in the form in which words are compared, with the position of what contains it. */
interface Part {
  readonly word: string
  readonly at: number
}

function* partsOf(tokens: readonly string[], formsOf: (token: string) => readonly string[]): Generator<Part> {
  for (const [at, token] of tokens.entries()) for (const word of formsOf(token)) yield { word, at }
}

async function pairWords(text: readonly Part[], spoken: readonly Part[]): Promise<WordPair[]> {
  const [texts, heard] = [text.map(({ word }) => word), spoken.map(({ word }) => word)]
  return withFewerBreaks(await alignWords(texts, heard), texts, heard)
}

/** Pairs of what is between the pairs, where a few other words are heard in place of some of the text. */
function heardOtherwise(pairs: readonly WordPair[], end: WordPair): WordPair[] {
  return [...pairs, end].flatMap((next, index) => {
    const before = pairs[index - 1] ?? { text: -1, spoken: -1 }
    const [left, others] = [next.text - before.text - 1, next.spoken - before.spoken - 1]
    if (left === 0 || others === 0 || others > left + moreWordsHeard) return []
    return Array.from({ length: Math.max(left, others) }, (_, at) => ({
      text: before.text + 1 + Math.min(at, left - 1),
      spoken: before.spoken + 1 + Math.min(at, others - 1),
    }))
  })
}

/**
 * The same words of the text, said with fewer breaks: a run of pairs moves to right after the pair before it, where the same words
 * are said too.
 */
export function withFewerBreaks(
  pairs: readonly WordPair[],
  text: readonly string[],
  spoken: readonly string[],
): WordPair[] {
  const moved: WordPair[] = []
  for (let first = 0; first < pairs.length; ) {
    let end = first + 1
    while (end < pairs.length && follows(pairs[end - 1], pairs[end])) end += 1
    const run = pairs.slice(first, end)
    const before = moved.at(-1)
    const at = (before?.spoken ?? 0) + 1
    const isSaidBefore =
      before?.text === (run[0]?.text ?? 0) - 1 && run.every((pair, index) => text[pair.text] === spoken[at + index])
    for (const [index, pair] of run.entries()) moved.push(isSaidBefore ? { ...pair, spoken: at + index } : pair)
    first = end
  }
  return moved
}

function follows(before: WordPair | undefined, pair: WordPair | undefined): boolean {
  return before?.text === (pair?.text ?? 0) - 1 && before.spoken === (pair?.spoken ?? 0) - 1
}

/** The stretches at these positions, which are in order, as written. */
function stretchesOf(written: readonly string[], positions: readonly number[]): string[] {
  const stretches: { text: string; last: number }[] = []
  for (const at of positions) {
    const stretch = stretches.at(-1)
    const word = written[at] ?? ''
    if (stretch?.last === at) continue
    if (stretch?.last === at - 1) Object.assign(stretch, { text: `${stretch.text} ${word}`, last: at })
    else stretches.push({ text: word, last: at })
  }
  return stretches.map(({ text }) => text)
}

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
