import type { Passage } from './passages.ts'

// What is said, put together from words with their times.

/** A shorter pause does not end a sentence. */
const maxPauseSeconds = 1.5

/** The sentences, by their punctuation and by long pauses. */
export function sentencesOf(words: readonly Passage[]): Passage[] {
  return passagesOf(words, () => false)
}

/** A model that embeds sentences reads about twice as much of each. */
const maxReadableLength = 400

/** The sentences, in parts that a model reads whole: some speech has no end of a sentence for minutes. */
export function readableSentencesOf(words: readonly Passage[]): Passage[] {
  return passagesOf(words, ({ text }, next) => text.length + 1 + next.text.length > maxReadableLength)
}

// As most guides for subtitles advise: two lines of 42 characters, for at most seven seconds.
const maxSubtitleLength = 84
const maxSubtitleSeconds = 7

/** The sentences, in parts that can be read as subtitles, about equally long: no word is left alone in a line. */
export function subtitlesOf(words: readonly Passage[]): Passage[] {
  return groupsOf(words, () => false).flatMap(linesOf)
}

function linesOf({ words, ...sentence }: Group): Passage[] {
  const { text, start, end } = sentence
  const lines = Math.ceil(Math.max(text.length / maxSubtitleLength, (end - start) / maxSubtitleSeconds))
  if (lines <= 1 || words.length === 1) return [sentence]
  const at = breakNear(words, (text.length * Math.floor(lines / 2)) / lines)
  return [words.slice(0, at), words.slice(at)].flatMap((part) => linesOf(grouped(part)))
}

/** As long as a word: a line rather ends after a comma. */
const commaLength = 10

/** The number of words whose text is about as long as `length`. */
function breakNear(words: readonly Passage[], length: number): number {
  let [before, best, leastCost] = [0, 1, Infinity]
  for (const [index, { text }] of words.slice(0, -1).entries()) {
    before += text.length + 1
    const cost = Math.abs(before - length) - (/[,;:–—]$/.test(text) ? commaLength : 0)
    if (cost < leastCost) [best, leastCost] = [index + 1, cost]
  }
  return best
}

interface Group extends Passage {
  readonly words: readonly Passage[]
}

function grouped(words: readonly Passage[]): Group {
  const text = words.map((word) => word.text).join(' ')
  return { text, start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0, words }
}

function passagesOf(words: readonly Passage[], isFull: (passage: Passage, next: Passage) => boolean): Passage[] {
  return groupsOf(words, isFull).map(({ words: _, ...passage }) => passage)
}

function groupsOf(words: readonly Passage[], isFull: (passage: Passage, next: Passage) => boolean): Group[] {
  const groups: { passage: Passage; words: Passage[] }[] = []
  for (const word of words) {
    const { text, start, end } = word
    const last = groups.at(-1)
    const continues =
      last &&
      !endsSentence(last.passage.text) &&
      start - last.passage.end <= maxPauseSeconds &&
      !isFull(last.passage, word)
    if (continues) {
      last.passage = { text: `${last.passage.text} ${text}`, start: last.passage.start, end }
      last.words.push(word)
    } else groups.push({ passage: { text, start, end }, words: [word] })
  }
  return groups.map(({ passage, words: said }) => ({ ...passage, words: said }))
}

/** A full stop after these, or after a single letter, belongs to the word. */
const abbreviation = /(?:^|\s)(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rev|vs|etc|e\.g|i\.e|a\.m|p\.m)\.$/u

function endsSentence(text: string): boolean {
  return /[.?!]["'”’)\]]*$/.test(text) && !abbreviation.test(text)
}
