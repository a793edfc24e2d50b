import { startTurns } from '../../core/turns.ts'

/** Words that follow each other, by their positions; `end` is the one after the last. */
export interface WordSpan {
  readonly first: number
  readonly end: number
}

interface Node {
  readonly next: Map<string, Node>
  isEnd: boolean
}

/**
 * Where phrases are among the words, without overlap. Of the phrases that begin with a word, the longest is found. The time is that
 * of the words and of the longest phrase, multiplied, however many phrases there are.
 */
export async function findPhrases(
  words: readonly string[],
  phrases: readonly (readonly string[])[],
): Promise<WordSpan[]> {
  const turns = startTurns()
  const root: Node = { next: new Map(), isEnd: false }
  for (const phrase of phrases) addPhrase(root, phrase)
  const found: WordSpan[] = []
  for (let first = 0; first < words.length; first += 1) {
    if (turns.isDue()) await turns.next()
    const end = longestFrom(root, words, first)
    if (end === undefined) continue
    found.push({ first, end })
    first = end - 1
  }
  return found
}

function addPhrase(root: Node, phrase: readonly string[]): void {
  if (phrase.length === 0) return
  let node = root
  for (const word of phrase) {
    const next = node.next.get(word) ?? { next: new Map(), isEnd: false }
    node.next.set(word, next)
    node = next
  }
  node.isEnd = true
}

function longestFrom(root: Node, words: readonly string[], first: number): number | undefined {
  let end: number | undefined
  let node: Node | undefined = root
  for (let at = first; node !== undefined; at += 1) {
    if (node.isEnd) end = at
    node = node.next.get(words[at] ?? '')
  }
  return end
}
