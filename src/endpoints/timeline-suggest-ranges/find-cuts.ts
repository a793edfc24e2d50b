import type { Segment } from '../../core/segments.ts'
import { collectInTurns, mapInTurns, startTurns } from '../../core/turns.ts'
import type { EarlierWord } from '../define-timeline-endpoint.ts'
import { createWordForms, wordsOf } from '../match-words.ts'
import { findPhrases, type WordSpan } from './find-phrases.ts'
import { findRepeats, type SaidWord } from './find-repeats.ts'
import { findText } from './keep-text.ts'
import { quietEdges } from './quiet-edges.ts'

export interface WordsToCut {
  readonly removeWords: readonly string[]
  readonly removeRepeats: boolean
  /** What is not in it is cut. */
  readonly keepText: string | undefined
}

export interface TextCut extends Segment {
  readonly text: string
  readonly reason: CutReason
}

export type CutReason = 'word' | 'repeat' | 'not_in_text'

export interface TextCuts {
  /** In order and without overlap. Those that touch are one cut. */
  readonly cuts: readonly TextCut[]
  /** What stays because no quiet moment is beside it. */
  readonly uncut: readonly TextCut[]
  /** What nobody said of the text to keep. */
  readonly missing: readonly string[]
}

/** Words that are cut together or not at all. */
interface Unwanted extends WordSpan {
  readonly reason: CutReason
}

/** Cuts the unwanted words in the quiet moments beside them. Every other word stays whole. */
export async function findCuts(words: readonly EarlierWord[], within: Segment, wanted: WordsToCut): Promise<TextCuts> {
  const { unwanted, missing } = await findUnwanted(words, wanted)
  const edges = quietEdges(words, within)
  const [cuts, uncut]: [TextCut[], TextCut[]] = [[], []]
  const turns = startTurns()
  for (const run of runsOf(unwanted)) {
    let [from, to] = [0, run.length]
    while (from < to && edges.before(run[from]?.first ?? 0) === undefined) from += 1
    while (from < to && edges.after((run[to - 1]?.end ?? 0) - 1) === undefined) to -= 1
    const listCut = (each: Unwanted, index: number) => {
      const cut = describe(words, each)
      if (index < from || index >= to) return addJoined(uncut, cut)
      const start = index === from ? edges.before(each.first) : undefined
      const end = index + 1 < to ? words[each.end]?.start : edges.after(each.end - 1)
      addJoined(cuts, { ...cut, start: start ?? cut.start, end: end ?? cut.end })
    }
    await mapInTurns(run, listCut)
    if (turns.isDue()) await turns.next()
  }
  return { cuts, uncut, missing }
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

/** Groups of those that follow each other. */
function runsOf(spans: readonly Unwanted[]): Unwanted[][] {
  const runs: Unwanted[][] = []
  for (const span of spans) {
    const run = runs.at(-1)
    if (run?.at(-1)?.end === span.first) run.push(span)
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
