import type { Cue } from './captions.ts'
import type { Passage } from './passages.ts'

// What is said, put together from words with their times. The passages are made one by one: a day of speech has ten thousands.

/** A shorter pause does not end a sentence. */
const maxPauseSeconds = 1.5

/** The sentences, by their punctuation and by long pauses. */
export function* sentencesOf(words: readonly Passage[]): Generator<Passage> {
  for (const { words: _, ...sentence } of groupsOf(words, Infinity)) yield sentence
}

/** A model that embeds sentences reads about twice as much of each. */
const maxReadableLength = 400

/** The sentences, in parts that a model reads whole: some speech has no end of a sentence for minutes. */
export function readableSentencesOf<Word extends Passage>(words: readonly Word[]): Iterable<Group<Word>> {
  return groupsOf(words, maxReadableLength)
}

// As most guides for subtitles advise: two lines of 42 characters, for at most seven seconds.
const maxSubtitleLength = 84
const maxSubtitleSeconds = 7

/** The sentences, in parts that can be read as subtitles, about equally long: no word is left alone in a line. */
export function* subtitlesOf(words: readonly Passage[]): Generator<Passage> {
  for (const group of groupsOf(words, Infinity)) for (const { words: _, ...line } of linesOf(group)) yield line
}

/** The words one after another, each as a caption of the words around it, which has at most this many characters. */
export function* spokenCaptions(words: readonly Passage[], maxLength: number): Generator<Cue> {
  for (const group of groupsOf(words, Infinity))
    for (const { words: said, text, end } of linesOf(group, maxLength)) {
      let spoken = 0
      for (const [index, word] of said.entries()) {
        yield { start: word.start, end: said[index + 1]?.start ?? end, text, spoken }
        spoken += word.text.split(' ').length
      }
    }
}

function linesOf(sentence: Group, maxLength = maxSubtitleLength): Group[] {
  const { words, text, start, end } = sentence
  const lines = Math.ceil(Math.max(text.length / maxLength, (end - start) / maxSubtitleSeconds))
  if (lines <= 1 || words.length === 1) return [sentence]
  const at = breakNear(words, (text.length * Math.floor(lines / 2)) / lines)
  return [words.slice(0, at), words.slice(at)].flatMap((part) => linesOf(grouped(part), maxLength))
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

interface Group<Word extends Passage = Passage> extends Passage {
  readonly words: readonly Word[]
}

function grouped<Word extends Passage>(words: readonly Word[]): Group<Word> {
  const text = words.map((word) => word.text).join(' ')
  return { text, start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0, words }
}

/** More words without an end of a sentence are no sentence. */
const maxGroupWords = 1_000

function* groupsOf<Word extends Passage>(words: readonly Word[], maxLength: number): Generator<Group<Word>> {
  let [group, length]: [Word[], number] = [[], 0]
  for (const word of words) {
    const last = group.at(-1)
    const longer = length + 1 + word.text.length
    const isSame = last && !endsSentence(last.text) && word.start - last.end <= maxPauseSeconds
    if (isSame && longer <= maxLength && group.length < maxGroupWords) {
      group.push(word)
      length = longer
      continue
    }
    if (last) yield grouped(group)
    group = [word]
    length = word.text.length
  }
  if (group.length > 0) yield grouped(group)
}

/** A full stop after these, or after a single letter, belongs to the word. */
const abbreviation = /^(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rev|vs|etc|e\.g|i\.e|a\.m|p\.m)\.$/u

function endsSentence(word: string): boolean {
  return /[.?!]["'”’)\]]*$/.test(word) && !abbreviation.test(word)
}
