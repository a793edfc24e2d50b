import { byStart, type Segment } from '../../core/segments.ts'
import { collectInTurns, mapInTurns, startTurns } from '../../core/turns.ts'
import type { Hesitation } from '../../media/speech/hesitations.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'
import { createWordForms, wordsOf } from '../match-words.ts'
import { findText } from './keep-text.ts'
import { quietEdges } from './pauses.ts'

export interface WordsToCut {
  readonly removeWords: readonly string[]
  readonly removeRepeats: boolean
  /** What is not in it is cut. */
  readonly keepText: string | undefined
  /** Fillers that the transcript leaves out. Those that are certain are cut too, and the others listed. */
  readonly hesitations: readonly Hesitation[]
}

export interface TextCut extends Segment {
  readonly text: string
  readonly reason: CutReason
}

type CutReason = 'word' | 'repeat' | 'not_in_text' | 'sound'

export interface TextCuts {
  /** In order and without overlap. Those that touch are one cut. */
  readonly cuts: readonly TextCut[]
  /** What stays because no quiet moment is beside it, and sounds that may be words. */
  readonly uncut: readonly TextCut[]
  /** What nobody said of the text to keep. */
  readonly missing: readonly string[]
}

/** Words that are cut together or not at all. */
interface Unwanted extends WordSpan {
  readonly reason: CutReason
}

/** Cuts the unwanted words in the quiet moments beside them. Every other word stays whole. */
export async function findCuts(
  transcribed: readonly EarlierWord[],
  within: Segment,
  wanted: WordsToCut,
): Promise<TextCuts> {
  const { words, positions, added, doubtful } = await placeHesitations(transcribed, wanted.hesitations)
  const { unwanted: found, missing } = await findUnwanted(transcribed, wanted)
  const placed = await mapInTurns(found, ({ first, end, reason }) => ({
    ...{ first: positions[first] ?? 0, end: (positions[end - 1] ?? 0) + 1, reason },
  }))
  const sounds = added.map((at): Unwanted => ({ first: at, end: at + 1, reason: bySound }))
  const unwanted = withoutOverlap([...placed, ...sounds])
  const edges = quietEdges(words, within)
  const [cuts, uncut]: [TextCut[], TextCut[]] = [[], []]
  const turns = startTurns()
  for (const run of runsOf(words, unwanted)) {
    let [from, to] = [0, run.length]
    while (from < to && edges.before(run[from]?.first ?? 0) === undefined) from += 1
    while (from < to && edges.after((run[to - 1]?.end ?? 0) - 1) === undefined) to -= 1
    const listCut = (each: Unwanted, index: number) => {
      const cut = describe(words, each)
      if (index < from || index >= to) return addJoined(uncut, cut)
      const start = index === from ? edges.before(each.first) : undefined
      const end = index + 1 < to ? words[each.end]?.start : edges.after(each.end - 1)
      // In a long gap, the quiet moments of two cuts can lie the other way round.
      addJoined(cuts, { ...cut, start: Math.max(start ?? cut.start, cuts.at(-1)?.end ?? 0), end: end ?? cut.end })
    }
    await mapInTurns(run, listCut)
    if (turns.isDue()) await turns.next()
  }
  const listed = await collectInTurns(outside(doubtful, [...cuts, ...uncut].toSorted(byStart)))
  return { cuts, uncut: [...uncut, ...listed].toSorted(byStart), missing }
}

const bySound = 'sound'

/** Those that meet none of what is listed already, both in the order of time. */
function* outside(doubtful: readonly Segment[], listed: readonly Segment[]): Generator<TextCut> {
  let next = 0
  for (const { start, end } of doubtful) {
    while ((listed[next]?.end ?? Infinity) <= start) next += 1
    if ((listed[next]?.start ?? Infinity) >= end) yield { start, end, text: hesitationText, reason: bySound }
  }
}

/** In order, and without overlap. */
async function findUnwanted(words: readonly EarlierWord[], { keepText, removeWords, removeRepeats }: WordsToCut) {
  const texts = words.map(({ text }) => text)
  const text = keepText === undefined ? undefined : await findText(keepText, texts)
  const notInText = text ? await collectInTurns(wordsBeside(text.kept, words.length)) : []
  const phrases = removeWords.map(wordsOf)
  const inPhrases = await spansIn(words, notInText, 'word', (said) =>
    findPhrases(
      said.map(({ word }) => word),
      phrases,
    ),
  )
  const found = withoutOverlap([...notInText, ...inPhrases])
  const repeats = removeRepeats ? await spansIn(words, found, 'repeat', findRepeats) : []
  return { unwanted: withoutOverlap([...found, ...repeats]), missing: text?.missing ?? [] }
}

function* wordsBeside(kept: ReadonlySet<number>, length: number): Generator<Unwanted> {
  for (let at = 0; at < length; at += 1) if (!kept.has(at)) yield { first: at, end: at + 1, reason: 'not_in_text' }
}

/** What is found in the words that are left without the unwanted ones. What begins or ends within a word such as `well-known` does not count. */
async function spansIn(
  words: readonly EarlierWord[],
  unwanted: readonly Unwanted[],
  reason: CutReason,
  find: (said: readonly SaidWord[]) => Promise<readonly WordSpan[]>,
): Promise<Unwanted[]> {
  const left = await collectInTurns(wordsOutside(unwanted, words))
  return (await find(left)).flatMap(({ first, end }) => {
    const [start, last] = [left[first]?.at ?? 0, left[end - 1]?.at ?? 0]
    if (left[first - 1]?.at === start || left[end]?.at === last) return []
    return [{ first: start, end: last + 1, reason }]
  })
}

/** The words that are left, in the form in which they are compared, with the positions of what contains them. */
function* wordsOutside(unwanted: readonly Unwanted[], words: readonly EarlierWord[]) {
  const formsOf = createWordForms('exact')
  let next = 0
  for (const [at, { text }] of words.entries()) {
    while ((unwanted[next]?.end ?? Infinity) <= at) next += 1
    if ((unwanted[next]?.first ?? Infinity) <= at) continue
    const parts = formsOf(text)
    const endsSentence = /[.?!]["'”’)\]]*$/.test(text)
    for (const [part, word] of parts.entries())
      yield { word, at, endsSentence: endsSentence && part === parts.length - 1 }
  }
}

/** In order. One that others lie within, between its words, contains them. */
function withoutOverlap(spans: readonly Unwanted[]): Unwanted[] {
  const kept: Unwanted[] = []
  for (const span of spans.toSorted((a, b) => a.first - b.first || b.end - a.end))
    if (span.first >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** Between fillers that are further apart, the transcript can leave out words. */
const maxFillerGapSeconds = 0.5

/** Groups of those that follow each other. */
function runsOf(words: readonly EarlierWord[], spans: readonly Unwanted[]): Unwanted[][] {
  const runs: Unwanted[][] = []
  for (const span of spans) {
    const run = runs.at(-1)
    const gap = (words[span.first]?.start ?? 0) - (words[span.first - 1]?.end ?? 0)
    const isNear = (span.reason !== 'word' && span.reason !== bySound) || gap <= maxFillerGapSeconds
    if (run?.at(-1)?.end === span.first && isNear) run.push(span)
    else runs.push([span])
  }
  return runs
}

function describe(words: readonly EarlierWord[], { first, end, reason }: Unwanted): TextCut {
  const said = words.slice(first, end)
  const text = said.map((word) => word.text).join(' ')
  return { start: said[0]?.start ?? 0, end: said.at(-1)?.end ?? 0, text, reason }
}

/** Joins it to the last one if both touch and have the same reason. */
function addJoined(cuts: TextCut[], cut: TextCut): void {
  const last = cuts.at(-1)
  if (last?.reason === cut.reason && last.end === cut.start)
    cuts[cuts.length - 1] = { ...last, end: cut.end, text: `${last.text} ${cut.text}` }
  else cuts.push(cut)
}

interface SaidWord {
  /** In the form in which words are compared. */
  readonly word: string
  /** Whether a sentence ends with it. */
  readonly endsSentence: boolean
}

/** Who begins again seldom repeats more words. */
const maxRepeatedWords = 8

/** Said twice on purpose, or by grammar. */
const saidTwice: ReadonlySet<string> = new Set([
  ...'very really so too far much many long more had that no yes yeah okay ok'.split(' '),
  ...'bye ha hey now there never again please thank'.split(' '),
  ...'zero oh one two three four five six seven eight nine ten double'.split(' '),
])

/** Between equal words, these make a series: `again and again and again`. */
const joining: ReadonlySet<string | undefined> = new Set(['and', 'or', 'by', 'after', 'upon'])

/**
 * Stutters and false starts: words that are said again right after. Each span is the earlier, abandoned one.
 * Numbers and words that people say twice on purpose stay, and so do series such as `step by step by step`.
 */
export async function findRepeats(words: readonly SaidWord[]): Promise<WordSpan[]> {
  const turns = startTurns()
  const found: WordSpan[] = []
  for (let first = 0; first < words.length; first += 1) {
    if (turns.isDue()) await turns.next()
    const length = repeatedFrom(words, first)
    if (length === 0) continue
    found.push({ first, end: first + length })
    first += length - 1
  }
  return found
}

/** The number of words from `first` on that are said again right after them; 0 if they are not. */
function repeatedFrom(words: readonly SaidWord[], first: number): number {
  for (let length = maxRepeatedWords; length > 0; length -= 1) {
    if (words[first]?.word !== words[first + length]?.word) continue
    const earlier = words.slice(first, first + length)
    const isRepeated = earlier.every(({ word }, index) => word === words[first + length + index]?.word)
    if (isRepeated && !isTwoSentences(earlier) && !isDoubled(earlier) && !isSeries(words, first, length)) return length
  }
  return 0
}

/** Short sentences are said twice on purpose: `Go away. Go away.` Who says a longer one again begins again. */
function isTwoSentences(words: readonly SaidWord[]): boolean {
  return words.length < minRetakenWords && words.some(({ endsSentence }) => endsSentence)
}

const minRetakenWords = 4

function isDoubled(words: readonly SaidWord[]): boolean {
  return words.every(({ word }) => saidTwice.has(word) || /\p{N}/u.test(word))
}

/** Whether the two words belong to a series, which begins before them or ends after them. */
function isSeries(words: readonly SaidWord[], first: number, length: number): boolean {
  const [before, one, other, after] = [first - 1, first, first + 1, first + 4].map((at) => words[at]?.word)
  if (length !== 2) return false
  return (joining.has(one) && other === before) || (joining.has(other) && one === after)
}

/** Words that follow each other, by their positions; `end` is the one after the last. */
interface WordSpan {
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
async function findPhrases(words: readonly string[], phrases: readonly (readonly string[])[]): Promise<WordSpan[]> {
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

/** What a hesitation is listed as. */
const hesitationText = 'uh?'

interface PlacedHesitations {
  /** Of the transcript, with the hesitations that are certain among them. */
  readonly words: readonly EarlierWord[]
  /** Where each word of the transcript is among them. */
  readonly positions: readonly number[]
  /** Where the hesitations are among them: added, or a word of the transcript. */
  readonly added: readonly number[]
  /** Hesitations that may be words, or meet one, in the order of time. */
  readonly doubtful: readonly Segment[]
}

/** Puts the certain hesitations between the words of a transcript. Both are in the order of time. */
async function placeHesitations(
  transcribed: readonly EarlierWord[],
  hesitations: readonly Hesitation[],
): Promise<PlacedHesitations> {
  const turns = startTurns()
  const [words, positions, added, doubtful]: [EarlierWord[], number[], number[], Segment[]] = [[], [], [], []]
  let [next, said] = [0, 0]
  const placeBefore = (start: number) => {
    for (let found = hesitations[next]; found && found.start < start; found = hesitations[++next]) {
      if (!isCertain(found) || found.start < said || found.end > start) {
        doubtful.push(found)
        continue
      }
      added.push(words.length)
      words.push({ ...found, text: hesitationText })
      said = found.end
    }
  }
  for (const word of transcribed) {
    if (turns.isDue()) await turns.next()
    placeBefore(word.start)
    const same = hesitations[next]
    if (same && isAtWord(same, word)) {
      added.push(words.length)
      next += 1
    }
    positions.push(words.length)
    words.push(word)
    said = Math.max(said, word.end)
  }
  placeBefore(Infinity)
  return { words, positions, added, doubtful }
}

function isCertain({ quietBefore, quietAfter }: Hesitation): boolean {
  return quietBefore !== null && quietAfter !== null
}

/** Whether the transcript has a word for the hesitation, such as "Ah". */
function isAtWord(found: Hesitation, { start, end }: EarlierWord): boolean {
  return isCertain(found) && found.start === start && found.end === end
}
