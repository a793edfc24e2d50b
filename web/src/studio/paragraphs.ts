import { firstAfter, type Span } from './spans.ts'

interface TimedWord extends Span {
  readonly text: string
}

const mostWords = 80
const leastWords = 12
/** Speakers pause so long between thoughts. */
const longPauseSeconds = 1

/** Indexes of the words at which paragraphs begin: at long pauses, at ends of sentences, and at the latest after 80 words. */
export function paragraphStarts(words: readonly TimedWord[]): number[] {
  const starts: number[] = []
  let first = 0
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const length = index - first
    const pause = before ? word.start - before.end : 0
    const isEnd = before !== undefined && /[.?!]["')]?$/.test(before.text)
    const isBreak =
      length >= mostWords || (length >= leastWords && (pause >= longPauseSeconds || (isEnd && length >= mostWords / 2)))
    if (index > 0 && !isBreak) continue
    starts.push(index)
    first = index
  }
  return starts
}

/** The stretch to cut for words: from the middle of the gap before the first to the middle of the gap after the last. */
export function spanOfWords(words: readonly TimedWord[], first: number, last: number, durationSeconds: number): Span {
  const middle = (before: number, after: number) => (before + Math.max(before, after)) / 2
  const firstWord = words[first]
  const lastWord = words[last]
  const before = words[first - 1]
  const after = words[last + 1]
  return {
    start: before ? middle(before.end, firstWord?.start ?? 0) : 0,
    end: after ? middle(lastWord?.end ?? 0, after.start) : durationSeconds,
  }
}

/** The last word that has begun at the time, -1 before the first. */
export function wordAt(words: readonly TimedWord[], time: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.start ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Whether most of a word is cut. */
export function isWordCut({ start, end }: Span, cuts: readonly Span[]): boolean {
  const middle = (start + end) / 2
  const cut = cuts[firstAfter(cuts, middle)]
  return cut !== undefined && cut.start <= middle
}

/** The first words of the places where a text is said, whatever its case and punctuation. */
export function findText(words: readonly TimedWord[], text: string): number[] {
  const wanted = text.split(/\s+/).map(plain).filter(Boolean)
  if (wanted.length === 0) return []
  const spoken = words.map((word) => plain(word.text))
  return spoken.flatMap((_, index) =>
    wanted.every((word, offset) =>
      offset === wanted.length - 1 ? spoken[index + offset]?.startsWith(word) : spoken[index + offset] === word,
    )
      ? [index]
      : [],
  )
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '')
}
