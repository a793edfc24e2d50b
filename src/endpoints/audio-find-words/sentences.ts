import type { SpokenWord } from '../../models/transcribe/spoken-words.ts'

/** Words that belong together, such as a sentence or a subtitle. */
export interface Passage {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Speech goes on after a shorter pause. */
const maxPauseSeconds = 1.5

/** The sentences, by their punctuation and by long pauses. */
export function sentencesOf(words: readonly SpokenWord[]): Passage[] {
  return passagesOf(words, () => false)
}

// As most guides for subtitles advise: two lines of 42 characters, for at most seven seconds.
const maxSubtitleLength = 84
const maxSubtitleSeconds = 7

/** The sentences, in parts that can be read as subtitles. */
export function subtitlesOf(words: readonly SpokenWord[]): Passage[] {
  return passagesOf(
    words,
    ({ text, start }, next) =>
      text.length + 1 + next.text.length > maxSubtitleLength || next.end - start > maxSubtitleSeconds,
  )
}

function passagesOf(words: readonly SpokenWord[], isFull: (passage: Passage, next: SpokenWord) => boolean): Passage[] {
  const passages: Passage[] = []
  for (const { text, start, end, ...word } of words) {
    const last = passages.at(-1)
    const continues =
      last &&
      !/[.?!]$/.test(last.text) &&
      start - last.end <= maxPauseSeconds &&
      !isFull(last, { text, start, end, ...word })
    if (continues) passages[passages.length - 1] = { text: `${last.text} ${text}`, start: last.start, end }
    else passages.push({ text, start, end })
  }
  return passages
}
