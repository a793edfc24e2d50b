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

/** The sentences, in parts that can be read as subtitles. */
export function subtitlesOf(words: readonly Passage[]): Passage[] {
  return passagesOf(
    words,
    ({ text, start }, next) =>
      text.length + 1 + next.text.length > maxSubtitleLength || next.end - start > maxSubtitleSeconds,
  )
}

function passagesOf(words: readonly Passage[], isFull: (passage: Passage, next: Passage) => boolean): Passage[] {
  const passages: Passage[] = []
  for (const { text, start, end } of words) {
    const last = passages.at(-1)
    const continues =
      last && !endsSentence(last.text) && start - last.end <= maxPauseSeconds && !isFull(last, { text, start, end })
    if (continues) passages[passages.length - 1] = { text: `${last.text} ${text}`, start: last.start, end }
    else passages.push({ text, start, end })
  }
  return passages
}

/** A full stop after these, or after a single letter, belongs to the word. */
const abbreviation = /(?:^|\s)(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rev|vs|etc|e\.g|i\.e|a\.m|p\.m)\.$/u

function endsSentence(text: string): boolean {
  return /[.?!]["'”’)\]]*$/.test(text) && !abbreviation.test(text)
}
